// #region fixture
import { createWebhooks } from '@svc/webhooks';
import { generateSecret, sendFixture } from '@svc/webhooks/testing';

const secret = generateSecret();
const webhooks = createWebhooks({ secrets: secret });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

const file = new URL('fixtures/evaluated.json', import.meta.url);
const response = await sendFixture(file, webhooks.fetch, { secret });
console.log(response.status);
// #endregion fixture
