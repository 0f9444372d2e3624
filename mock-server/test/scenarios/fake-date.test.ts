import { createClient } from '@svc/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMockService } from '../../src/testing/index.ts';

test('a service delivers while the test has a fake date, as the guide says', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await using service = await startMockService();
  const { apiKey, workspaceId } = await service.workspace();
  const receiver = await service.receiver();
  const svc = createClient({ apiKey, baseUrl: service.url });
  await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  expect(await service.waitForDelivery({ eventId: event.id })).toMatchObject([{ status: 'success' }]);
});
