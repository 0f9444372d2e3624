// #region test
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClient } from '@svc/client';
import { expect, test as withService } from '@svc/mock-server/vitest';
import { createWebhooks } from '@svc/webhooks';
import { createApp } from '../src/app.ts';

/** Starts the application on a free port for each test, and registers it as an endpoint in the test's own workspace. */
const test = withService.extend<{ app: { evaluated: string[]; endpointId: string; setSecret(text: string): void } }>({
  app: async ({ service, workspace }, use) => {
    let secret = '';
    const evaluated: string[] = [];
    const webhooks = createWebhooks({ secrets: () => secret });
    webhooks.on('lifecycle.evaluated', (event) => void evaluated.push(event.subject.id));
    const server = createApp(webhooks).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
    const svc = createClient({ apiKey: workspace.apiKey, baseUrl: service.url });
    const created = await svc.webhooks.endpoints.create({ url, subscribedEvents: ['lifecycle.*'] });
    secret = created.secret.secret;
    const setSecret = (text: string) => {
      secret = text;
    };
    await use({ evaluated, endpointId: created.endpoint.id, setSecret });
    server.closeAllConnections();
    server.close();
  },
});

test('the application handles an evaluation', async ({ service, workspace, app }) => {
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId: workspace.workspaceId });
  await service.waitForDelivery({ eventId: event.id, status: 'success' });
  expect(app.evaluated).toEqual([workspace.workspaceId]);
});

test('the application rejects a delivery that was signed with another secret', async ({ service, workspace, app }) => {
  app.setSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId: workspace.workspaceId });
  await service.waitForIdle();
  const { attempts } = await service.control.listAttempts({ deliveryId: String(deliveries[0]?.id) });
  expect(attempts).toMatchObject([{ response: { status: 401 } }]);
  expect(app.evaluated).toEqual([]);
});
// #endregion test
