// #region test
const { createClient } = require('@svc/client');
const { startMockService } = require('@svc/mock-server/testing');
const { verifyWebhook } = require('@svc/webhooks');

let service;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service.close());

async function deliver() {
  const { apiKey, workspaceId } = await service.workspace();
  const receiver = await service.receiver();
  const svc = createClient({ apiKey, baseUrl: service.url });
  const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  return { event, request: await receiver.next(), secret: secret.secret };
}

test('my endpoint gets a signed event', async () => {
  const { event, request, secret } = await deliver();
  const { headers, body } = request;
  expect(verifyWebhook({ headers, body, secrets: secret }).event).toEqual(event);
});

test('another secret does not verify the event', async () => {
  const { headers, body } = (await deliver()).request;
  const secrets = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(() => verifyWebhook({ headers, body, secrets })).toThrow(expect.objectContaining({ code: 'no_match' }));
});
// #endregion test
