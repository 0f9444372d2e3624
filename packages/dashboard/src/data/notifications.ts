import { type ControlPage, control } from './control.ts';
import { type Query, useQuery } from './query.ts';

/** A user's notification. */
export interface Notification {
  id: string;
  workspaceId: string;
  type: string;
  endpointId: string | null;
  createdAt: string;
}

/** How many are shown. */
export const NOTIFICATIONS_SHOWN = 20;

/** The latest notifications of a user, newest first. None without a user. */
export const useNotifications = (userId: string | undefined): Query<Notification[]> =>
  useQuery(
    userId && `notifications ${userId}`,
    async () => {
      const query = { userId, limit: NOTIFICATIONS_SHOWN };
      return (await control<ControlPage<Notification>>('GET', '/notifications', { query })).data;
    },
    ({ notifications }) => notifications !== undefined,
  );

/** The text of a notification. */
export const notificationText = (type: string): string =>
  type === 'webhook.endpoint.auto_disabled' ? 'Endpoint disabled' : type;
