import { useState } from 'preact/hooks';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useSchedule } from '../../data/lifecycle.ts';
import { useQuery } from '../../data/query.ts';
import { messageOf } from '../../data/server-error.ts';
import { useActor } from '../../data/tenants.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Id } from '../../ui/id.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toast.tsx';
import { Failure } from '../not-found.tsx';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const FIELDS = ['name', 'slug', 'timezone', 'weekStartsOn'] as const;

/** The workspace: its name, its slug, and the zone and start of its days and weeks. */
export function SettingsScreen({ workspaceId }: ScreenProps) {
  const { data: workspace, error } = useQuery(
    `workspace ${workspaceId} ${actingUserId.value}`,
    async () => {
      const { workspace } = await clientOf(workspaceId).request('GET', `/v1/workspaces/${workspaceId}`);
      return workspace;
    },
    ({ tenants }) => tenants === true,
  );
  const { data: schedule } = useSchedule(workspaceId);
  const why = useActor(workspaceId).why('workspace:settings:write');
  const [problem, setProblem] = useState<string>();
  useTitle('Settings', workspaceId);
  if (error) return <Failure error={error} what="workspace" id={workspaceId} />;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(fields.get(name)).trim();
    const body = {
      name: text('name'),
      slug: text('slug'),
      timezone: text('timezone') || null,
      weekStartsOn: text('weekStartsOn') === '' ? null : Number(text('weekStartsOn')),
    };
    try {
      await clientOf(workspaceId).request('PATCH', `/v1/workspaces/${workspaceId}`, { body });
      setProblem(undefined);
      toast('Saved.');
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  };
  const field =
    FIELDS.find((name) => problem?.includes(`"${name}"`)) ?? (problem?.includes('slug') ? 'slug' : undefined);
  const input = (name: (typeof FIELDS)[number], label: string, value: string, list?: string) => (
    <>
      <label class="field">
        <span>{label}</span>
        <input
          type="text"
          name={name}
          defaultValue={value}
          autocomplete="off"
          {...(list && { list })}
          disabled={why !== undefined}
          aria-invalid={field === name}
          aria-describedby={`settings-${name}-problem`}
        />
      </label>
      <p class="problem" id={`settings-${name}-problem`} role="alert">
        {field === name ? problem : ''}
      </p>
    </>
  );
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Settings</h1>
        <Id value={workspaceId} />
      </header>
      {workspace && (
        <form class="card narrow-card" onSubmit={submit} key={workspace.updatedAt} noValidate>
          {input('name', 'Name', workspace.name)}
          {input('slug', 'Slug, unique in the organization', workspace.slug)}
          {input('timezone', 'Timezone, empty for UTC', workspace.timezone ?? '', 'timezones')}
          <datalist id="timezones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <label class="field">
            <span>Weeks start on</span>
            <select name="weekStartsOn" disabled={why !== undefined}>
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
          <p class="problem" role="alert">
            {field === undefined ? problem : ''}
          </p>
          <p class="row">
            <ActionButton type="submit" class="primary" why={why}>
              Save
            </ActionButton>
            <span class="quiet">
              Updated <Time value={workspace.updatedAt} focusable />
            </span>
          </p>
        </form>
      )}
    </div>
  );
}
