import type { WebhookEndpoint } from '@svc/client';
import { ENDPOINT_DESCRIPTION_MAX_LENGTH } from '@svc/contract';
import { useState } from 'preact/hooks';
import { useEventTypes } from '../../data/endpoints.ts';
import { changedFields, FormDialog, useForm } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { subscribables } from './subscription.ts';

export interface EndpointFields {
  url: string;
  description: string | null;
  subscribedEvents: string[];
}

const FIELDS = ['url', 'description', 'subscribedEvents'] as const;

/** Returns the field that an error message from the service is about. */
const fieldOf = (message: string): (typeof FIELDS)[number] | undefined => {
  const named = FIELDS.find((field) => message.includes(`"${field}`));
  return named ?? (/\burl\b|receiver|address/i.test(message) ? 'url' : undefined);
};

/** A form that shows each validation error from the service next to the invalid field. */
export function EndpointForm({
  workspaceId,
  endpoint,
  suggestedUrl = '',
  save,
  onClose,
}: {
  workspaceId: string;
  endpoint?: WebhookEndpoint;
  suggestedUrl?: string | undefined;
  /** `changed` has the fields that the user has changed, or all fields of a new endpoint. */
  save: (fields: EndpointFields, changed: Partial<EndpointFields>) => Promise<void>;
  onClose: () => void;
}) {
  const [opened] = useState(endpoint);
  const [chosen, setChosen] = useState<readonly string[]>(opened?.subscribedEvents ?? ['lifecycle.*']);
  const form = useForm((text) => {
    const fields = { url: text('url'), description: text('description') || null, subscribedEvents: [...chosen] };
    const before = opened && { ...opened, description: opened.description ?? null };
    return save(fields, before ? changedFields<EndpointFields>(before, fields) : fields);
  });
  const { problem = '' } = form;
  const field = fieldOf(problem);
  const problemAt = (at: (typeof FIELDS)[number]) => (
    <Problem id={`endpoint-${at}-problem`}>{field === at ? problem : ''}</Problem>
  );
  return (
    <FormDialog
      title={endpoint ? 'Edit endpoint' : 'Register endpoint'}
      name="endpoint"
      form={form}
      shownProblem={field ? '' : problem}
      submit={endpoint ? 'Save' : 'Register endpoint'}
      onClose={onClose}
    >
      <label class="field">
        <span>URL</span>
        <input
          name="url"
          type="url"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          defaultValue={opened?.url ?? suggestedUrl}
          placeholder="http://localhost:3000/webhooks"
          aria-invalid={field === 'url'}
          aria-describedby="endpoint-url-problem"
        />
      </label>
      {problemAt('url')}
      <label class="field">
        <span>Description (at most {ENDPOINT_DESCRIPTION_MAX_LENGTH} characters)</span>
        <input
          name="description"
          defaultValue={opened?.description ?? ''}
          aria-invalid={field === 'description'}
          aria-describedby="endpoint-description-problem"
        />
      </label>
      {problemAt('description')}
      <Subscriptions workspaceId={workspaceId} chosen={chosen} onChoose={setChosen} />
      {problemAt('subscribedEvents')}
    </FormDialog>
  );
}

function Subscriptions({
  workspaceId,
  chosen,
  onChoose,
}: {
  workspaceId: string;
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
}) {
  const { data: types } = useEventTypes(workspaceId);
  const offered = subscribables((types ?? []).map(({ type }) => type));
  const unlisted = chosen.filter((pattern) => !offered.some((one) => one.pattern === pattern));
  const toggle = (pattern: string, isOn: boolean) =>
    onChoose(isOn ? [...chosen, pattern] : chosen.filter((one) => one !== pattern));
  return (
    <fieldset class="field">
      <legend>Subscribes to</legend>
      <div class="subscriptions">
        {[...offered, ...unlisted.map((pattern) => ({ pattern, matches: [] }))].map(({ pattern, matches }) => (
          <label key={pattern} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(pattern)}
              onChange={(event) => toggle(pattern, event.currentTarget.checked)}
            />
            <span>
              <code>{pattern}</code>
              {types && pattern.includes('*') && (
                <small>{matches.length === 0 ? 'matches nothing now' : `matches ${matches.join(', ')}`}</small>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
