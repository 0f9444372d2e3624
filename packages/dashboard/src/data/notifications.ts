import type { ControlNotification } from '@svc/contract/control/types';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';

export const NOTIFICATIONS_SHOWN = 20;

/** Reads the latest notifications to a user, newest first. */
export const useNotifications = (userId: string | undefined): Query<ControlNotification[]> =>
  useQuery(userId && `notifications ${userId}`, async () => {
    const query = { userId, limit: NOTIFICATIONS_SHOWN };
    return (await control('GET', '/notifications', { query })).data;
  }, ['notifications']);

export const notificationText = (type: string): string =>
  type === 'webhook.endpoint.auto_disabled' ? 'Endpoint disabled' : type;
