import { actAs, actingUserId } from '../data/acting.ts';
import { useActor, useUsers } from '../data/tenants.ts';
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
  const choice = (id: string | undefined, title: string, note: string, close: () => void) => (
    <button
      key={id ?? 'key'}
      type="button"
      class="choice"
      aria-pressed={userId === id}
      onClick={() => {
        actAs(id);
        close();
      }}
    >
      <span>
        {title}
        <small>{note}</small>
      </span>
      {userId === id && <Icon name="check" size={14} />}
    </button>
  );
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
      {(close) => (
        <div class="panel-group">
          <h3>This page acts as</h3>
          {choice(undefined, KEY, 'In this workspace', close)}
          {users?.slice(0, 50).map((user) => choice(user.id, user.name, user.email, close))}
        </div>
      )}
    </Menu>
  );
}
