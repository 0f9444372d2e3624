import type { ControlUser } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { actAs, actingUserId } from '../data/acting.ts';
import { useActor, useUsers } from '../data/tenants.ts';
import { matches } from '../format/matches.ts';
import { FILTERED_ABOVE, FilterField } from '../ui/filter-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';

const KEY = 'API key: everything';

/**
 * Lets the user choose the user or API key that the page acts as. For each request, the service checks the role and
 * scope of this user or key.
 */
export function ActingMenu({ workspaceId }: { workspaceId: string }) {
  const actor = useActor(workspaceId);
  const { data: users } = useUsers();
  const userId = actingUserId.value;
  const name = userId === undefined ? KEY : (users?.find(({ id }) => id === userId)?.name ?? actor.name);
  return (
    <Menu
      align="end"
      label={`Acting as ${name} ${actor.role ?? ''}`.trim()}
      button={
        <>
          <Icon name={userId === undefined ? 'key' : 'user'} />
          <span class="acting-name">{name}</span> {actor.role && <span class="badge">{actor.role}</span>}
          <Icon name="chevron" size={14} />
        </>
      }
    >
      {(close) => <Choices users={users ?? []} close={close} />}
    </Menu>
  );
}

/** Lists the API key and all users. A long list has a filter. */
function Choices({ users, close }: { users: readonly ControlUser[]; close: () => void }) {
  const [filter, setFilter] = useState('');
  const choice = (id: string | undefined, title: string, note: string) => (
    <button
      key={id ?? 'key'}
      type="button"
      class="choice"
      aria-pressed={actingUserId.value === id}
      onClick={() => {
        actAs(id);
        close();
      }}
    >
      <span>
        {title}
        <small>{note}</small>
      </span>
      {actingUserId.value === id && <Icon name="check" size={14} />}
    </button>
  );
  return (
    <>
      {users.length > FILTERED_ABOVE && (
        <div class="panel-filter">
          <FilterField label="Filter users" text={filter} onText={setFilter} takesFocus />
        </div>
      )}
      <div class="panel-group">
        <h3>This page acts as</h3>
        {choice(undefined, KEY, 'In this workspace')}
        {users
          .filter(({ id, name, email }) => matches(`${name} ${email}`, [id], filter))
          .map(({ id, name, email }) => choice(id, name, email))}
      </div>
    </>
  );
}
