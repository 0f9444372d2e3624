// jsdom has no `fetch`, and lacks most of the classes that the client needs.
const { createClient } = require('@svc/client');
const { startMockService } = require('@svc/mock-server/testing');
const { createWebhooks } = require('@svc/webhooks');

test('the service delivers to a handler in jsdom', async () => {
  const service = await startMockService();
  const { apiKey, workspaceId } = await service.workspace();
  const receiver = await service.receiver();
  const svc = createClient({ apiKey, baseUrl: service.url });
  const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  receiver.forward(createWebhooks({ secrets: secret.secret }).fetch);
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  await service.waitForDelivery({ eventId: event.id, status: 'success' });
  await expect(svc.events.retrieve('evt_01JNG8M5T0')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await service.close();
});
