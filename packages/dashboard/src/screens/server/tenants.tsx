import type { ControlUser, OrganizationItem } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { matches, organizationsMatching } from '../../format/matches.ts';
import { inWorkspace } from '../../routes.ts';
import { FILTERED_ABOVE, FilterField } from '../../ui/filter-field.tsx';
import { Id } from '../../ui/id.tsx';

const USERS_SHOWN_MAX = 100;

export function Organizations({ organizations }: { organizations: readonly OrganizationItem[] | undefined }) {
  const [filter, setFilter] = useState('');
  const entries = organizations?.reduce((sum, { workspaces }) => sum + Math.max(1, workspaces.length), 0) ?? 0;
  const shown = organizations && organizationsMatching(organizations, filter);
  return (
    <section class="card">
      <h2>Organizations</h2>
      {entries > FILTERED_ABOVE && <FilterField label="Filter organizations" text={filter} onText={setFilter} />}
      {shown?.length === 0 && <p class="quiet">{entries === 0 ? 'None yet.' : 'No match.'}</p>}
      <ul class="tenants">
        {shown?.map(({ id, name, workspaces }) => (
          <li key={id}>
            <b>{name}</b> <Id value={id} />
            <ul>
              {workspaces.map((workspace) => (
                <li key={workspace.id}>
                  <a href={inWorkspace(workspace.id)}>{workspace.name}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Users({ users }: { users: readonly ControlUser[] | undefined }) {
  const [filter, setFilter] = useState('');
  const found = users?.filter(({ id, name, email }) => matches(`${name} ${email}`, [id], filter));
  return (
    <section class="card">
      <h2>Users</h2>
      {users && users.length > FILTERED_ABOVE && <FilterField label="Filter users" text={filter} onText={setFilter} />}
      {found?.length === 0 && <p class="quiet">{users?.length === 0 ? 'None yet.' : 'No match.'}</p>}
      <table class="plain inner">
        <tbody>
          {found?.slice(0, USERS_SHOWN_MAX).map(({ id, name, email }) => (
            <tr key={id}>
              <td>
                {name}
                <small>{email}</small>
              </td>
              <td class="end">
                <Id value={id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {found && found.length > USERS_SHOWN_MAX && <p class="quiet">Only the newest {USERS_SHOWN_MAX} are shown.</p>}
    </section>
  );
}
