import { cp, mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';

const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };

test('A server killed while it moves the clock continues from the latest step and creates nothing in the future', async () => {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'svc-killed-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const options = { masterKey: TEST_MASTER_KEY, rateLimit: false };
  const open: ServerResponse[] = [];
  const receiver = cleanup.use(await startReceiver((_request, response) => void response.writeHead(500).end()));
  const killed = cleanup.use(await startApi({ ...options, dataDir: join(folder, 'killed') }));
  await killed.call('POST', '/v1/webhooks/endpoints', {
    credential: demo.production.key,
    body: { url: receiver.url, subscribedEvents: ['lifecycle.*'] },
  });
  await killed.call('POST', '/_control/events', { body: event });
  await killed.call('POST', '/_control/settle', { body: {} });
  receiver.answer = (_request, response) => void open.push(response);
  const moving = killed.call('POST', '/_control/clock', { body: { advance: '3d' } });
  await vi.waitFor(() => expect(open).toHaveLength(1));
  const accepted = (await killed.call('POST', '/_control/events', { body: event })).body;

  // A killed process leaves its files as they are at that moment.
  await cp(join(folder, 'killed'), join(folder, 'next'), { recursive: true });
  receiver.answer = (_request, response) => void response.writeHead(204).end();
  const next = cleanup.use(await startApi({ ...options, dataDir: join(folder, 'next') }));
  const { now, frozen } = (await next.call('GET', '/_control/clock')).body;
  expect(frozen).toBe(false);
  expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(accepted.event.created));
  expect(Date.parse(now)).toBeLessThan(Date.parse(accepted.event.created) + 60_000);
  expect((await next.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({
    settled: true,
    nextDueAt: null,
  });
  const delivered = await next.call('GET', `/v1/webhooks/deliveries/${accepted.deliveries[0].id}`, {
    credential: demo.production.key,
  });
  expect(delivered.body.delivery).toMatchObject({ status: 'success', attempt: 1 });
  for (const response of open) response.writeHead(204).end();
  receiver.answer = (_request, response) => void response.writeHead(204).end();
  await moving;
});
