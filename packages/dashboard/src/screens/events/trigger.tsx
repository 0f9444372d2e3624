import type { EventSubject } from '@svc/contract';
import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { useEndpoints, useEventTypes } from '../../data/endpoints.ts';
import { shortenUrl } from '../../format/text.ts';
import { eventUrl } from '../../routes.ts';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { parseJson } from './place-of.ts';

export const EVENTS_MAX = 10_000;

export async function triggerEvents(
  workspaceId: string,
  type: string,
  count: number,
  subject?: EventSubject | undefined,
): Promise<void> {
  const event = { workspaceId, type, ...(subject && { subject }) };
  const response = await control('POST', '/events', {
    body: { events: Array.from({ length: count }, () => event) },
  });
  const events = 'events' in response ? response.events : [response];
  const deliveries = events.reduce((sum, one) => sum + one.deliveries.length, 0);
  const made = count === 1 ? 'Triggered 1 event' : `Triggered ${count.toLocaleString('en')} events`;
  const to = deliveries === 1 ? '1 delivery' : `${deliveries.toLocaleString('en')} deliveries`;
  const [first] = events;
  toast(`${made}: ${to}.`, first && { link: { href: eventUrl(workspaceId, first.event.id), text: 'Open the event' } });
}

const ABOUT_AN_ENDPOINT = 'webhook.endpoint.auto_disabled';

const EXAMPLE = '{ "id": "wsp_…", "type": "workspace", "url": "/v1/workspaces/wsp_…" }';

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
  const [chosen, setChosen] = useState(given ?? 'lifecycle.evaluated');
  const form = useForm(async (text, fields) => {
    const subject = fields.has('endpoint') ? endpointSubject(text('endpoint')) : parseSubject(text('subject'));
    await triggerEvents(workspaceId, text('type'), Number(text('count')), subject);
    onClose();
  });
  return (
    <FormDialog title="Trigger an event" name="trigger" form={form} submit="Trigger" onClose={onClose} validates>
      <label class="field">
        <span>Type</span>
        <select
          name="type"
          value={chosen}
          onChange={(event) => {
            setChosen(event.currentTarget.value);
            form.setProblem(undefined);
          }}
        >
          {types.map(({ type, description }) => (
            <option key={type} value={type} title={description} selected={type === chosen}>
              {type}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>How many (1 to {EVENTS_MAX.toLocaleString('en')})</span>
        <input name="count" type="number" min={1} max={EVENTS_MAX} defaultValue="1" required />
      </label>
      <SubjectField
        workspaceId={workspaceId}
        isAboutEndpoint={chosen === ABOUT_AN_ENDPOINT}
        isInvalid={/^This is not JSON|^Invalid body: "[^"]*\bsubject\b/.test(form.problem ?? '')}
      />
    </FormDialog>
  );
}

function SubjectField({
  workspaceId,
  isAboutEndpoint,
  isInvalid,
}: {
  workspaceId: string;
  isAboutEndpoint: boolean;
  isInvalid: boolean;
}) {
  const { data: endpoints } = useEndpoints(workspaceId);
  return isAboutEndpoint ? (
    <label class="field">
      <span>Endpoint</span>
      <select name="endpoint" required aria-invalid={isInvalid} aria-describedby="trigger-problem">
        {endpoints?.length === 0 && <option value="">This workspace has no endpoints</option>}
        {endpoints?.map(({ id, url }) => (
          <option key={id} value={id} title={id}>
            {shortenUrl(url)}
          </option>
        ))}
      </select>
    </label>
  ) : (
    <label class="field">
      <span>Subject, as JSON (optional)</span>
      <textarea
        name="subject"
        rows={3}
        class="mono"
        spellcheck={false}
        placeholder={EXAMPLE}
        aria-invalid={isInvalid}
        aria-describedby="trigger-problem"
      />
    </label>
  );
}

/** @throws SyntaxError if the string is not JSON. */
const parseSubject = (text: string) => (text === '' ? undefined : (parseJson(text) as EventSubject));

const endpointSubject = (id: string): EventSubject => ({
  id,
  type: 'webhook_endpoint',
  url: `/v1/webhooks/endpoints/${id}`,
});
