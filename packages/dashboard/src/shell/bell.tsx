import { actingUserId } from '../data/acting.ts';
import { notificationText, NOTIFICATIONS_SHOWN as SHOWN, useNotifications } from '../data/notifications.ts';
import { shortenId } from '../format/text.ts';
import { endpointUrl, inWorkspace } from '../routes.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';
import { Time } from '../ui/time.tsx';

/** Shows the notifications of the user that the page acts as. An API key has no notifications. */
export function Bell() {
  const userId = actingUserId.value;
  const { data } = useNotifications(userId);
  if (!userId) return null;
  const count = data?.length ?? 0;
  return (
    <Menu
      align="end"
      label={
        count === 0
          ? 'No notifications'
          : `${count === SHOWN ? `${SHOWN} or more` : count} ${count === 1 ? 'notification' : 'notifications'}`
      }
      button={
        <>
          <Icon name="bell" />
          {count > 0 && <span class="badge tone-bad">{count === SHOWN ? `${SHOWN}+` : count}</span>}
        </>
      }
    >
      {(close) => (
        <div class="panel-group">
          {count === 0 && <p class="quiet">Nothing yet. You get a notification when an endpoint is disabled.</p>}
          {data?.map(({ id, workspaceId, type, endpointId, createdAt }) => (
            <a
              key={id}
              href={endpointId ? endpointUrl(workspaceId, endpointId) : inWorkspace(workspaceId)}
              onClick={close}
            >
              <span>
                {notificationText(type)}
                <small class="quiet"> {endpointId && shortenId(endpointId)}</small>
              </span>
              <span class="quiet">
                <Time value={createdAt} />
              </span>
            </a>
          ))}
        </div>
      )}
    </Menu>
  );
}
