// #region test
import { createClient } from '@svc/client';
import { createMockService } from '@svc/mock-server/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST } from '../app/api/webhooks/route.ts';

// Each delivery calls the route, without a server or a socket.
const service = await createMockService({ onDelivery: (request) => POST(request) });
const server = setupServer(...service.handlers);
beforeAll(() => server.listen());
afterAll(async () => {
  server.close();
  await service.close();
});

async function triggerEvaluation(useSecret: (secret: string) => string) {
  const { apiKey, workspaceId } = await service.workspace();
  const svc = createClient({ apiKey, baseUrl: 'https://api.example.com' });
  const { secret } = await svc.webhooks.endpoints.create({
    url: 'https://example.com/api/webhooks',
    subscribedEvents: ['lifecycle.*'],
  });
  vi.stubEnv('WEBHOOK_SECRET', useSecret(secret.secret));
  const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId });
  await service.waitForIdle();
  const { attempts } = await service.control.listAttempts({ deliveryId: String(deliveries[0]?.id) });
  return attempts[0]?.response;
}

test('the route accepts a signed delivery', async () => {
  expect(await triggerEvaluation((secret) => secret)).toMatchObject({ status: 200 });
});

test('the route rejects a delivery that was signed with another secret', async () => {
  const other = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(await triggerEvaluation(() => other)).toMatchObject({ status: 401 });
});
// #endregion test
