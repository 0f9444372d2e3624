// #region pages
import { createWebhooks } from '@svc/webhooks';
import { createNodeHandler } from '@svc/webhooks/node';

export const config = { api: { bodyParser: false } };

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });

export default createNodeHandler(webhooks);
// #endregion pages
