import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { useEventTypes } from '../../data/endpoints.ts';
import { messageOf } from '../../data/server-error.ts';
import { eventUrl } from '../../routes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { placeOf } from './place-of.ts';

/** What an event is about. */
interface Subject {
  id: string;
  type: string;
  url: string;
}

interface Triggered {
  event: { id: string; type: string };
  deliveries: unknown[];
}

export const EVENTS_MAX = 10_000;

/** Causes events, as the service itself does, and says what they led to. */
export async function triggerEvents(
  workspaceId: string,
  type: string,
  count: number,
  subject?: Subject | undefined,
): Promise<void> {
  const event = { workspaceId, type, ...(subject && { subject }) };
  const { events } = await control<{ events: Triggered[] }>('POST', '/events', {
    body: { events: Array.from({ length: count }, () => event) },
  });
  const deliveries = events.reduce((sum, one) => sum + one.deliveries.length, 0);
  const made = count === 1 ? 'Triggered 1 event' : `Triggered ${count.toLocaleString('en')} events`;
  const to = deliveries === 1 ? '1 delivery' : `${deliveries.toLocaleString('en')} deliveries`;
  const [first] = events;
  toast(`${made}: ${to}.`, first && { link: { href: eventUrl(workspaceId, first.event.id), text: 'Open the event' } });
}

const EXAMPLE = '{ "id": "wsp_…", "type": "workspace", "url": "/v1/workspaces/wsp_…" }';

/** Asks which events to trigger. */
export function TriggerDialog({
  workspaceId,
  type: given,
  onClose,
}: {
  workspaceId: string;
  type?: string | undefined;
  onClose: () => void;
}) {
  const { data: types = [] } = useEventTypes(workspaceId);
  const [problem, setProblem] = useState<{ field: 'subject' | 'form'; text: string }>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const text = String(fields.get('subject')).trim();
    setBusy(true);
    try {
      const subject = text === '' ? undefined : (JSON.parse(text) as Subject);
      await triggerEvents(workspaceId, String(fields.get('type')), Number(fields.get('count')), subject);
      onClose();
    } catch (error) {
      setProblem({
        field: error instanceof SyntaxError ? 'subject' : 'form',
        text: error instanceof SyntaxError ? placeOf(text) : messageOf(error),
      });
      setBusy(false);
    }
  };
  return (
    <Dialog title="Trigger an event" onClose={onClose}>
      <form onSubmit={submit}>
        <label class="field">
          <span>Type</span>
          <select name="type" defaultValue={given ?? 'lifecycle.evaluated'}>
            {types.map(({ type, description }) => (
              <option key={type} value={type} title={description} selected={type === (given ?? 'lifecycle.evaluated')}>
                {type}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>How many (1 to {EVENTS_MAX.toLocaleString('en')})</span>
          <input name="count" type="number" min={1} max={EVENTS_MAX} defaultValue="1" required />
        </label>
        <label class="field">
          <span>Subject, as JSON (optional)</span>
          <textarea
            name="subject"
            rows={3}
            class="mono"
            spellcheck={false}
            placeholder={EXAMPLE}
            aria-invalid={problem?.field === 'subject'}
            aria-describedby="trigger-problem"
          />
        </label>
        <p class="problem" id="trigger-problem" role="alert">
          {problem?.text}
        </p>
        <footer>
          <button type="submit" class="primary" disabled={isBusy}>
            Trigger
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
