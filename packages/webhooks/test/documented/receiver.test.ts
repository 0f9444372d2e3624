// #region test
import { createWebhooks } from '@svc/webhooks';
import { generateSecret, signWebhook } from '@svc/webhooks/testing';
import { expect, it } from 'vitest';

const secret = generateSecret();
const webhooks = createWebhooks({ secrets: secret });
const evaluated: string[] = [];
webhooks.on('lifecycle.evaluated', (event) => void evaluated.push(event.subject.id));

const post = ({ headers, body }: { headers: Record<string, string>; body: string }) =>
  webhooks.fetch(new Request('https://receiver.test/', { method: 'POST', headers, body }));

it('handles an evaluation', async () => {
  const response = await post(signWebhook({ secrets: secret, event: 'lifecycle.evaluated' }));
  expect(response.status).toBe(200);
  expect(evaluated).toEqual(['wsp_sample']);
});

it('refuses a forgery', async () => {
  const response = await post(signWebhook({ secrets: generateSecret(), event: 'lifecycle.evaluated' }));
  expect(response.status).toBe(401);
});
// #endregion test
