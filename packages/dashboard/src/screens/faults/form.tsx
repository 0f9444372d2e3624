import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { messageOf } from '../../data/server-error.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { faultSentence } from './sentence.ts';

type Target = 'api' | 'delivery';
interface Draft {
  target: Target;
  effect: string;
  status: number;
  delayMs: number;
  times: string;
  probability: number;
  endpointId: string;
  path: string;
}

const PRESETS: readonly (readonly [text: string, draft: Partial<Draft>])[] = [
  ['Receiver is down', { target: 'delivery', effect: 'status', status: 503, times: '2' }],
  ['Receiver times out', { target: 'delivery', effect: 'drop', times: '1' }],
  ['Delivered twice', { target: 'delivery', effect: 'duplicate', times: '1' }],
  ['API outage', { target: 'api', effect: 'status', status: 503, times: '3' }],
  ['Slow API', { target: 'api', effect: 'delay', delayMs: 2_000, times: '' }],
  ['Lost response', { target: 'api', effect: 'reset-answer', times: '1' }],
];

const EFFECTS: readonly (readonly [value: string, text: string, targets: readonly Target[]])[] = [
  ['status', 'respond with a status', ['api', 'delivery']],
  ['delay', 'delay', ['api', 'delivery']],
  ['reset', 'cut the connection', ['api', 'delivery']],
  ['reset-answer', 'process it, then cut the connection', ['api', 'delivery']],
  ['drop', 'never respond', ['api', 'delivery']],
  ['drop-answer', 'process it, and never respond', ['api', 'delivery']],
  ['duplicate', 'send it twice', ['delivery']],
  ['reorder', 'deliver out of order', ['delivery']],
];

const FIRST: Draft = {
  target: 'delivery',
  effect: 'status',
  status: 503,
  delayMs: 1_000,
  times: '2',
  probability: 1,
  endpointId: '',
  path: '',
};

/** The request body for a draft. */
function bodyOf(draft: Draft) {
  const { target, effect, status, delayMs, times, probability, endpointId, path } = draft;
  const [kind, response] = effect.split('-');
  const effects: Record<string, object> = {
    status: { status },
    delay: { delayMs },
    [String(kind)]: { [String(kind)]: response ?? true },
    ...(kind === 'status' && { status: { status } }),
    ...(kind === 'delay' && { delay: { delayMs } }),
  };
  const match = target === 'api' ? path && { path } : endpointId && { endpointId };
  return {
    target,
    effect: effects[String(kind)] ?? {},
    ...(match && { match }),
    times: times === '' ? null : Number(times),
    probability,
  };
}

/** Injects a fault. It offers only what the service accepts for the target. A sentence says what the fault does. */
export function FaultForm({
  endpoints,
  nameOf,
  onClose,
}: {
  endpoints: readonly { id: string; url: string }[];
  nameOf: (id: string) => string;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState<Draft>(FIRST);
  const [problem, setProblem] = useState<string>();
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const offered = EFFECTS.filter(([, , targets]) => targets.includes(draft.target));
  const body = bodyOf(draft);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await control('POST', '/faults', { body });
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title="Inject a fault" onClose={onClose} wide>
      <form onSubmit={submit}>
        <div class="chips">
          {PRESETS.map(([text, preset]) => (
            <button key={text} type="button" class="small" onClick={() => setDraft({ ...FIRST, ...preset })}>
              {text}
            </button>
          ))}
        </div>
        <div class="columns">
          <label class="field">
            <span>Target</span>
            <select
              value={draft.target}
              onChange={(event) => change({ target: event.currentTarget.value as Target, effect: 'status' })}
            >
              <option value="delivery">Deliveries</option>
              <option value="api">Responses of the API</option>
            </select>
          </label>
          <label class="field">
            <span>Effect</span>
            <select value={draft.effect} onChange={(event) => change({ effect: event.currentTarget.value })}>
              {offered.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          {draft.effect === 'status' && (
            <label class="field">
              <span>Status</span>
              <input
                type="number"
                min={draft.target === 'api' ? 400 : 200}
                max={599}
                value={draft.status}
                onInput={(event) => change({ status: Number(event.currentTarget.value) })}
              />
            </label>
          )}
          {draft.effect === 'delay' && (
            <label class="field">
              <span>Delay in milliseconds</span>
              <input
                type="number"
                min={0}
                max={60_000}
                value={draft.delayMs}
                onInput={(event) => change({ delayMs: Number(event.currentTarget.value) })}
              />
            </label>
          )}
          {draft.target === 'delivery' ? (
            <label class="field">
              <span>Endpoint</span>
              <select value={draft.endpointId} onChange={(event) => change({ endpointId: event.currentTarget.value })}>
                <option value="">any</option>
                {endpoints.map(({ id }) => (
                  <option key={id} value={id}>
                    {nameOf(id)}
                  </option>
                ))}
              </select>
            </label>
          ) : (
            <label class="field">
              <span>Path (optional)</span>
              <input
                value={draft.path}
                placeholder="/v1/webhooks/*"
                onInput={(event) => change({ path: event.currentTarget.value })}
              />
            </label>
          )}
          <label class="field">
            <span>How often (empty: always)</span>
            <input
              type="number"
              min={1}
              value={draft.times}
              onInput={(event) => change({ times: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            <span>Probability</span>
            <input
              type="number"
              min={0.01}
              max={1}
              step={0.01}
              value={draft.probability}
              onInput={(event) => change({ probability: Number(event.currentTarget.value) })}
            />
          </label>
        </div>
        <p class="verdict tone-waiting" role="status">
          {faultSentence({ ...body, remaining: body.times } as never, nameOf)}
        </p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <footer>
          <button type="submit" class="primary">
            Inject
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
