const { createHmac } = require('node:crypto');
const { createWebhooks } = require('@svc/webhooks');
const { generateSecret, sendFixture, signWebhook } = require('@svc/webhooks/testing');

// The first test uses nothing from `@svc/webhooks/testing`, which adds what jsdom lacks.
test('accepts bytes', () => {
  const key = Buffer.alloc(32, 1);
  const webhooks = createWebhooks({ secrets: `whsec_${key.toString('base64url')}`, now: 1000 });
  const body = Buffer.from('{"id":"evt_1","type":"webhook.ping","created":"2030-01-01T00:00:00.000Z"}');
  const hmac = createHmac('sha256', key).update('whd_1.1.').update(body).digest('base64');
  const headers = { 'webhook-id': 'whd_1', 'webhook-timestamp': '1', 'webhook-signature': `v1,${hmac}` };
  expect(webhooks.verify({ headers, body }).known).toBe(true);
  expect(webhooks.check({ headers, body: Buffer.from('{}') })).toMatchObject({ error: { code: 'no_match' } });
});

test('signs what a receiver accepts', () => {
  const secrets = generateSecret();
  const webhooks = createWebhooks({ secrets });
  const signed = signWebhook({ secrets, event: 'lifecycle.evaluated' });
  expect(webhooks.verify(signed).event.type).toBe('lifecycle.evaluated');
  expect(webhooks.check(signWebhook({ secrets: generateSecret() }))).toMatchObject({ error: { code: 'no_match' } });
});

test('answers a fixture', async () => {
  const secret = generateSecret();
  const { fetch } = createWebhooks({ secrets: secret, onReject() {} });
  const fixture = { url: 'https://a.example/', ...signWebhook({ secrets: secret }) };
  expect((await sendFixture(fixture, fetch)).status).toBe(200);
  expect((await sendFixture(fixture, fetch, { secret: generateSecret() })).status).toBe(401);
});
