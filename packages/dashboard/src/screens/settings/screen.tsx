import type { Workspace } from '@svc/contract';
import { useState } from 'preact/hooks';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useSchedule } from '../../data/lifecycle.ts';
import { useQuery } from '../../data/query.ts';
import { useActor } from '../../data/tenants.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { changedFields, useForm } from '../../ui/form.tsx';
import { Id } from '../../ui/id.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toast.tsx';
import { Failure } from '../failure.tsx';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const FIELDS = ['name', 'slug', 'timezone', 'weekStartsOn'] as const;

export function SettingsScreen({ workspaceId }: ScreenProps) {
  const { data: workspace, error } = useQuery(
    `workspace ${workspaceId} ${actingUserId.value}`,
    async () => (await clientOf(workspaceId).request('GET', `/v1/workspaces/${workspaceId}`)).workspace,
    ['tenants'],
  );
  useTitle('Settings', workspaceId);
  /** The workspace as it was when the user began to edit. The form shows this version until the user saves. */
  const [edited, setEdited] = useState<Workspace>();
  const shown = edited ?? workspace;
  if (error) return <Failure error={error} what="workspace" id={workspaceId} />;
  return (
    <div class="screen">
      <ScreenHead title="Settings" about={<Id value={workspaceId} />} />
      {shown && (
        <SettingsForm
          key={shown.updatedAt}
          workspace={shown}
          onEdit={() => setEdited(shown)}
          onSaved={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

function SettingsForm({
  workspace,
  onEdit,
  onSaved,
}: {
  workspace: Workspace;
  onEdit: () => void;
  onSaved: () => void;
}) {
  const workspaceId = workspace.id;
  const { data: schedule } = useSchedule(workspaceId);
  const why = useActor(workspaceId).why('workspace:settings:write');
  const { problem, onSubmit } = useForm(async (text) => {
    const fields = {
      name: text('name'),
      slug: text('slug'),
      timezone: text('timezone') || null,
      weekStartsOn: text('weekStartsOn') === '' ? null : Number(text('weekStartsOn')),
    };
    const body = changedFields<typeof fields>(workspace, fields);
    await clientOf(workspaceId).request('PATCH', `/v1/workspaces/${workspaceId}`, { body });
    onSaved();
    toast('Saved.');
  });
  const field =
    FIELDS.find((name) => problem?.includes(`"${name}"`)) ?? (problem?.includes('slug') ? 'slug' : undefined);
  const isDisabled = why !== undefined;
  const problemAt = (name: (typeof FIELDS)[number]) => (field === name ? problem : undefined);
  const input = (name: (typeof FIELDS)[number]) => ({ name, isDisabled, problem: problemAt(name) });
  return (
    <form class="card narrow-card" onSubmit={onSubmit} onInput={onEdit} noValidate>
      <TextField {...input('name')} label="Name" value={workspace.name} />
      <TextField {...input('slug')} label="Slug, unique in the organization" value={workspace.slug} />
      <TextField
        {...input('timezone')}
        label="Timezone, empty for UTC"
        value={workspace.timezone ?? ''}
        list="timezones"
      />
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <label class="field">
        <span>Weeks start on</span>
        <select name="weekStartsOn" disabled={isDisabled}>
          <option value="" selected={workspace.weekStartsOn === null}>
            Monday (default)
          </option>
          {DAYS.map((day, index) => (
            <option key={day} value={index} selected={workspace.weekStartsOn === index}>
              {day}
            </option>
          ))}
        </select>
      </label>
      {schedule?.nextEvaluationAt && (
        <p class="quiet">
          Profiles are evaluated when the day begins in this zone, next{' '}
          <Time value={schedule.nextEvaluationAt} focusable />.
        </p>
      )}
      <Problem>{field === undefined ? problem : ''}</Problem>
      <p class="row">
        <ActionButton type="submit" class="primary" why={why}>
          Save
        </ActionButton>
        <span class="quiet">
          Updated <Time value={workspace.updatedAt} focusable />
        </span>
      </p>
    </form>
  );
}

function TextField({
  name,
  label,
  value,
  list,
  isDisabled,
  problem,
}: {
  name: string;
  label: string;
  value: string;
  list?: string;
  isDisabled: boolean;
  problem: string | undefined;
}) {
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <input
          type="text"
          name={name}
          defaultValue={value}
          autocomplete="off"
          {...(list && { list })}
          disabled={isDisabled}
          aria-invalid={problem !== undefined}
          aria-describedby={`settings-${name}-problem`}
        />
      </label>
      <Problem id={`settings-${name}-problem`}>{problem}</Problem>
    </>
  );
}
