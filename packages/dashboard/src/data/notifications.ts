import type { ControlNotification } from '@svc/contract/control/types';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';

/** The maximum number of notifications that are shown. */
export const NOTIFICATIONS_SHOWN = 20;

/** Returns the latest notifications of a user, newest first. Without a user, nothing is requested. */
export const useNotifications = (userId: string | undefined): Query<ControlNotification[]> =>
  useQuery(userId && `notifications ${userId}`, async () => {
    const query = { userId, limit: NOTIFICATIONS_SHOWN };
    return (await control('GET', '/notifications', { query })).data;
  }, ['notifications']);

/** The text of a notification. */
export const notificationText = (type: string): string =>
  type === 'webhook.endpoint.auto_disabled' ? 'Endpoint disabled' : type;
