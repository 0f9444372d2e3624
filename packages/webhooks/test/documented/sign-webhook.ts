// #region sign
import { createWebhooks } from '@svc/webhooks';
import { generateSecret, signWebhook } from '@svc/webhooks/testing';

const secret = generateSecret();
const webhooks = createWebhooks({ secrets: secret });

const delivery = webhooks.verify(signWebhook({ secrets: secret, event: 'lifecycle.evaluated' }));
console.log(delivery.event.type);
// #endregion sign
