import { ROLES, type Role, WORKSPACE_OVERRIDES, type WorkspaceOverride } from '@svc/contract';
import type { OrganizationMember } from '@svc/contract/control/types';
import { control } from '../../data/control.ts';
import { tenantsOf, useOrganizations } from '../../data/tenants.ts';
import { useControl } from '../../data/use-control.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { useTitle } from '../../ui/title.ts';
import { orToast, toast } from '../../ui/toast.tsx';

export function MembersScreen({ workspaceId }: ScreenProps) {
  const { data: organizations } = useOrganizations();
  const organization =
    organizations && tenantsOf(organizations).find(({ workspace }) => workspace.id === workspaceId)?.organization;
  const { data } = useControl(
    organization && '/organizations/{organizationId}/members',
    { params: { organizationId: organization?.id ?? '' }, query: { limit: 100 } },
    ['tenants'],
  );
  useTitle('Members', workspaceId);
  return (
    <div class="screen">
      <ScreenHead title="Members" />
      <p class="quiet">
        A role applies to the whole organization. An override replaces the role in this workspace, or denies access.
      </p>
      <table class="plain members">
        <TableHead columns={['User', `Role in ${organization?.name ?? ''}`, 'Override here', 'Resolved role']} />
        <tbody>
          {organization &&
            data?.data.map((member) => (
              <MemberRow key={member.user.id} member={member} organization={organization} workspaceId={workspaceId} />
            ))}
        </tbody>
      </table>
      {data?.nextPageUrl && <p class="quiet">Only the first 100 members are shown.</p>}
    </div>
  );
}

/** Waits for a change, and then shows `said` or the reason why the change failed. */
const change = (made: Promise<unknown>, said: string) =>
  orToast(async () => {
    await made;
    toast(said);
  });

function MemberRow({
  member: { user, role, overrides },
  organization,
  workspaceId,
}: {
  member: OrganizationMember;
  organization: { id: string; name: string };
  workspaceId: string;
}) {
  const override = overrides.find((one) => one.workspaceId === workspaceId)?.role;
  const resolved = override ?? role;
  return (
    <tr>
      <td>
        {user.name}
        <small>{user.email}</small>
      </td>
      <td data-label={`Role in ${organization.name}`}>
        <select
          class="plain-select"
          aria-label={`Role of ${user.name} in the organization`}
          value={role}
          onChange={(event) =>
            change(
              control('PUT', '/organizations/{organizationId}/members/{userId}', {
                params: { organizationId: organization.id, userId: user.id },
                body: { role: event.currentTarget.value as Role },
              }),
              `${user.name} is ${event.currentTarget.value} now.`,
            )
          }
        >
          {ROLES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </td>
      <td data-label="Override here">
        <select
          class="plain-select"
          aria-label={`Override for ${user.name} in this workspace`}
          value={override ?? ''}
          onChange={(event) =>
            change(
              control('PUT', '/workspaces/{workspaceId}/members/{userId}', {
                params: { workspaceId, userId: user.id },
                body: { role: (event.currentTarget.value || null) as WorkspaceOverride | null },
              }),
              event.currentTarget.value
                ? `${user.name} has the override ${event.currentTarget.value}.`
                : `${user.name} has no override.`,
            )
          }
        >
          <option value="">none</option>
          {WORKSPACE_OVERRIDES.map((one) => (
            <option key={one} value={one}>
              {one === 'None' ? 'deny access' : one}
            </option>
          ))}
        </select>
      </td>
      <td data-label="Resolved role">
        {resolved === 'None' ? <span class="badge tone-bad">no access</span> : <span class="badge">{resolved}</span>}
      </td>
    </tr>
  );
}
