import { createWebhooks } from '@svc/webhooks';
import { NOW_MS, SECRET } from './message.ts';

/** A receiver that uses the clock of the tests. */
export const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS });
