// #region lambda
import { createWebhooks } from '@svc/webhooks';
import { createLambdaHandler } from '@svc/webhooks/lambda';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

export const handler = createLambdaHandler(webhooks);
// #endregion lambda
