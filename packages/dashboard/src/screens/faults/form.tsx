import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { FormDialog, useForm } from '../../ui/form.tsx';
import type { Option } from '../../ui/pick.tsx';
import { faultSentence } from './sentence.ts';

type Target = 'api' | 'delivery';
/**
 * Numbers are kept as strings, because parsing a half-typed number such as `0.` would change the field while the user
 * types.
 */
interface Draft {
  target: Target;
  effect: string;
  status: string;
  delayMs: string;
  times: string;
  probability: string;
  endpointId: string;
  path: string;
}

const PRESETS: readonly (readonly [text: string, draft: Partial<Draft>])[] = [
  ['Receiver is down', { target: 'delivery', effect: 'status', status: '503', times: '2' }],
  ['Receiver times out', { target: 'delivery', effect: 'drop', times: '1' }],
  ['Delivered twice', { target: 'delivery', effect: 'duplicate', times: '1' }],
  ['API outage', { target: 'api', effect: 'status', status: '503', times: '3' }],
  ['Slow API', { target: 'api', effect: 'delay', delayMs: '2000', times: '' }],
  ['Lost response', { target: 'api', effect: 'reset-response', times: '1' }],
];

const EFFECTS: readonly (readonly [value: string, text: string, targets: readonly Target[]])[] = [
  ['status', 'respond with a status', ['api', 'delivery']],
  ['delay', 'delay', ['api', 'delivery']],
  ['reset', 'cut the connection', ['api', 'delivery']],
  ['reset-response', 'process the request, then cut the connection', ['api', 'delivery']],
  ['drop', 'never respond', ['api', 'delivery']],
  ['drop-response', 'process the request, and never respond', ['api', 'delivery']],
  ['duplicate', 'send the request twice', ['delivery']],
  ['reorder', 'deliver out of order', ['delivery']],
];

const FIRST: Draft = {
  target: 'delivery',
  effect: 'status',
  status: '503',
  delayMs: '1000',
  times: '2',
  probability: '1',
  endpointId: '',
  path: '',
};

function bodyOf(draft: Draft) {
  const { target, effect, status, delayMs, times, probability, endpointId, path } = draft;
  const [kind = '', loss = true] = effect.split('-');
  const match = target === 'api' ? path && { path } : endpointId && { endpointId };
  return {
    target,
    effect:
      kind === 'status'
        ? { status: Number(status) }
        : kind === 'delay'
          ? { delayMs: Number(delayMs) }
          : { [kind]: loss },
    ...(match && { match }),
    times: times === '' ? null : Number(times),
    probability: Number(probability),
  };
}

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
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const body = bodyOf(draft);
  const form = useForm(async () => {
    await control('POST', '/faults', { body });
    onClose();
  });
  return (
    <FormDialog title="Inject a fault" name="fault" form={form} submit="Inject" onClose={onClose} validates wide>
      <div class="chips">
        {PRESETS.map(([text, preset]) => (
          <button key={text} type="button" class="small" onClick={() => setDraft({ ...FIRST, ...preset })}>
            {text}
          </button>
        ))}
      </div>
      <DraftFields draft={draft} onChange={change} endpoints={endpoints} nameOf={nameOf} />
      <p class="verdict tone-waiting" role="status">
        {faultSentence({ ...body, remaining: body.times } as never, nameOf)}
      </p>
    </FormDialog>
  );
}

function DraftFields({
  draft,
  onChange,
  endpoints,
  nameOf,
}: {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  endpoints: readonly { id: string }[];
  nameOf: (id: string) => string;
}) {
  const offered = EFFECTS.filter(([, , targets]) => targets.includes(draft.target)).map(
    ([value, text]) => [value, text] as const,
  );
  return (
    <div class="columns">
      <SelectField
        label="Target"
        value={draft.target}
        options={[
          ['delivery', 'Deliveries'],
          ['api', 'Responses of the API'],
        ]}
        onPick={(target) => onChange({ target: target as Target, effect: 'status' })}
      />
      <SelectField label="Effect" value={draft.effect} options={offered} onPick={(effect) => onChange({ effect })} />
      <EffectField draft={draft} onChange={onChange} />
      {draft.target === 'delivery' ? (
        <SelectField
          label="Endpoint"
          value={draft.endpointId}
          options={[['', 'any'], ...endpoints.map(({ id }) => [id, nameOf(id)] as const)]}
          onPick={(endpointId) => onChange({ endpointId })}
        />
      ) : (
        <label class="field">
          <span>Path (optional)</span>
          <input
            value={draft.path}
            placeholder="/v1/webhooks/*"
            onInput={(event) => onChange({ path: event.currentTarget.value })}
          />
        </label>
      )}
      <NumberField
        label="How many times (leave empty for no limit)"
        min={1}
        value={draft.times}
        onNumber={(times) => onChange({ times })}
      />
      <NumberField
        label="Probability"
        min={0.01}
        max={1}
        step={0.01}
        value={draft.probability}
        required
        onNumber={(probability) => onChange({ probability })}
      />
    </div>
  );
}

function EffectField({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  return (
    <>
      {draft.effect === 'status' && (
        <NumberField
          label="Status"
          min={draft.target === 'api' ? 400 : 200}
          max={599}
          value={draft.status}
          required
          onNumber={(status) => onChange({ status })}
        />
      )}
      {draft.effect === 'delay' && (
        <NumberField
          label="Delay in milliseconds"
          min={0}
          max={60_000}
          value={draft.delayMs}
          required
          onNumber={(delayMs) => onChange({ delayMs })}
        />
      )}
    </>
  );
}

function SelectField({
  label,
  value,
  options,
  onPick,
}: {
  label: string;
  value: string;
  options: readonly Option[];
  onPick: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function NumberField({
  label,
  onNumber,
  ...input
}: {
  label: string;
  min: number;
  max?: number;
  step?: number;
  value: string;
  required?: boolean;
  onNumber: (text: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="number" {...input} onInput={(event) => onNumber(event.currentTarget.value)} />
    </label>
  );
}
