import { createWebhooks } from '@svc/webhooks';
import { createApp } from './app.ts';

const secret = process.env['WEBHOOK_SECRET'];
if (!secret) throw new Error('Set WEBHOOK_SECRET to the signing secret of your endpoint.');
const webhooks = createWebhooks({ secrets: secret });
webhooks.on('lifecycle.evaluated', (event) => console.log('evaluated', event.subject.url));
createApp(webhooks).listen(3000, () => console.log('Listening at http://localhost:3000/webhooks'));
