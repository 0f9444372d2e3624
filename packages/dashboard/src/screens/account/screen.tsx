import type { ScreenProps } from '../../app.tsx';
import { actAs, actingUserId } from '../../data/acting.ts';
import { useUsers } from '../../data/tenants.ts';
import { href } from '../../routes.ts';
import { Icon } from '../../ui/icons.tsx';
import { useTitle } from '../../ui/title.ts';
import { Credentials } from '../keys/credentials.tsx';

/** Account settings of a user: personal access tokens. */
export function AccountScreen({ workspaceId, id }: ScreenProps) {
  const { data: users } = useUsers();
  const userId = id || actingUserId.value;
  const user = users?.find((one) => one.id === userId);
  useTitle(user ? `${user.name} · Account` : 'Account', workspaceId);
  if (!userId) {
    return (
      <div class="screen">
        <header class="screen-head">
          <h1>Account settings</h1>
        </header>
        <p class="quiet">An API key has no account. Choose a user:</p>
        <table class="plain">
          <tbody>
            {users?.map(({ id: one, name, email }) => (
              <tr key={one}>
                <td>
                  <a class="row-link" href={href(`account/${one}`)}>
                    {name}
                  </a>
                </td>
                <td class="quiet">{email}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{user?.name ?? 'Account'}</h1>
        <span class="quiet">{user?.email}</span>
        <div class="actions">
          <button type="button" disabled={actingUserId.value === userId} onClick={() => actAs(userId)}>
            <Icon name="user" size={14} />
            Act as {user?.name ?? 'this user'}
          </button>
        </div>
      </header>
      <h2>Personal access tokens</h2>
      <Credentials
        owner={{ kind: 'personal_access_token', userId }}
        owns="A token acts as the user, in every organization and workspace of theirs. 120 requests a minute."
      />
    </div>
  );
}
