import { createClient } from '@svc/client';
import { expect, test } from '@svc/mock-server/vitest';
import { replayFailed } from '../src/replay-failed.ts';

test('a failed delivery is explained and replayed, and nothing else is', async ({ service, workspace, receiver }) => {
  const { apiKey, workspaceId } = workspace;
  const svc = createClient({ apiKey, baseUrl: service.url });
  const since = await service.clock.now();
  await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  await service.trigger('lifecycle.evaluated', { workspaceId });
  await receiver.next();
  receiver.respond({ status: 503 });
  const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId });
  // Every retry fails, and the last one comes after three days.
  await service.clock.advance('4d');
  receiver.respond({ status: 204 });

  const replayed = await replayFailed(svc, since);

  expect(replayed).toEqual([
    {
      deliveryId: deliveries[0]?.id,
      reason: 'HTTP 503 after 11 attempts',
      result: expect.stringMatching(/^replayed as whd_\w+$/),
    },
  ]);
  const replayId = String(replayed[0]?.result.split(' ').at(-1));
  await service.waitForDelivery({ deliveryId: replayId, status: 'success' });
});

test('a delivery to an endpoint that is not active is explained and left alone', async ({
  service,
  workspace,
  receiver,
}) => {
  const { apiKey, workspaceId } = workspace;
  const svc = createClient({ apiKey, baseUrl: service.url });
  const since = await service.clock.now();
  const { endpoint } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  receiver.respond({ status: 500 });
  await service.trigger('lifecycle.evaluated', { workspaceId });
  await service.clock.advance('4d');
  await svc.webhooks.endpoints.update(endpoint.id, { active: false });

  expect(await replayFailed(svc, since)).toMatchObject([{ result: expect.stringContaining('is inactive') }]);
});
