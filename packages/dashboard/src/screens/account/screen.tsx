import { actAs, actingUserId } from '../../data/acting.ts';
import { notificationText, useNotifications } from '../../data/notifications.ts';
import { useUsers } from '../../data/tenants.ts';
import { shortenId } from '../../format/text.ts';
import { endpointUrl, href } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Id } from '../../ui/id.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { ScreenSkeleton } from '../../ui/screen-skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { Failure, NotFound } from '../failure.tsx';
import { Credentials } from '../keys/credentials.tsx';
import { Me } from './me.tsx';

const HEIGHTS = [60, 200, 60];
const CHOOSE = { href: href('account'), text: 'Choose a user' };

export function AccountScreen({ workspaceId, id }: ScreenProps) {
  const { data: users, error } = useUsers();
  const userId = id || actingUserId.value;
  const user = users?.find((one) => one.id === userId);
  useTitle(user ? `${user.name} · Account` : 'Account', workspaceId);
  if (!userId) {
    return (
      <div class="screen">
        <ScreenHead title="Account settings" />
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
        <Me workspaceId={workspaceId} userId={undefined} />
      </div>
    );
  }
  if (error) return <Failure error={error} what="user" />;
  if (!user) return users ? <NotFound what="user" back={CHOOSE} /> : <ScreenSkeleton heights={HEIGHTS} />;
  return (
    <div class="screen">
      <ScreenHead title={user.name} about={<span class="quiet">{user.email}</span>}>
        <ActionButton
          icon="user"
          why={actingUserId.value === userId ? 'This page already acts as this user' : undefined}
          onClick={() => actAs(userId)}
        >
          Act as {user.name}
        </ActionButton>
      </ScreenHead>
      <dl class="facts">
        <Fact name="User">
          <Id value={userId} />
        </Fact>
        <Fact name="Email">{user.email}</Fact>
      </dl>
      <Me workspaceId={workspaceId} userId={userId} />
      <Notifications userId={userId} />
      <h2>Personal access tokens</h2>
      <Credentials
        owner={{ kind: 'personal_access_token', userId }}
        owns="A token acts as the user, in all organizations and workspaces of the user. The rate limit is 120 requests a minute."
      />
    </div>
  );
}

function Notifications({ userId }: { userId: string }) {
  const { data } = useNotifications(userId);
  return (
    <>
      <h2>Notifications</h2>
      {data?.length === 0 && <p class="quiet">None yet. Users get a notification when an endpoint is disabled.</p>}
      {data && data.length > 0 && (
        <table class="plain">
          <tbody>
            {data.map(({ id, type, workspaceId, endpointId, createdAt }) => (
              <tr key={id}>
                <td>{notificationText(type)}</td>
                <td>
                  {endpointId && (
                    <a class="row-link mono" href={endpointUrl(workspaceId, endpointId)}>
                      {shortenId(endpointId)}
                    </a>
                  )}
                </td>
                <td class="end quiet">
                  <Time value={createdAt} focusable />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
