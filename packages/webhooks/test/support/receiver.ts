import { createWebhooks } from '@svc/webhooks';
import { NOW_MS, SECRET } from './message.ts';

/** A receiver at the tests' clock. */
export const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS });
