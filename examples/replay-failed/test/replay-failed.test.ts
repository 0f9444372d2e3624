import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@svc/client';
import { startMockService } from '@svc/mock-server/testing';
import { expect, test } from '@svc/mock-server/vitest';
import { replayFailed } from '../src/replay-failed.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Runs the unchanged program. Rejects if the program fails. */
const run = (environment: Record<string, string>) =>
  promisify(execFile)(process.execPath, [main], { env: { ...process.env, ...environment } });

test('only a failed delivery is explained and replayed', async ({ service, workspace, receiver }) => {
  const { apiKey, workspaceId } = workspace;
  const svc = createClient({ apiKey, baseUrl: service.url });
  const since = await service.clock.now();
  await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  await service.trigger('lifecycle.evaluated', { workspaceId });
  await receiver.next();
  receiver.respond({ status: 503 });
  const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId });
  // Every retry fails, and the last retry comes more than three days after the first attempt.
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

test('a delivery to an endpoint that is not active is explained and not replayed', async ({
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

test('the program finds a delivery that has just failed', async () => {
  // Start the service's clock four days ago. After `advance('4d')`, the service's clock shows the same time as the
  // program's clock.
  await using service = await startMockService({ startAt: new Date(Date.now() - 4 * 86_400_000) });
  const { apiKey, workspaceId } = await service.workspace();
  const receiver = await service.receiver();
  const svc = createClient({ apiKey, baseUrl: service.url });
  await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  receiver.respond({ status: 503 });
  const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId });
  await service.clock.advance('4d');
  receiver.respond({ status: 204 });

  const { stdout } = await run({ SVC_API_KEY: apiKey, SVC_BASE_URL: service.url });

  expect(stdout).toContain(`${deliveries[0]?.id}  HTTP 503 after 11 attempts  replayed as whd_`);
  expect(stdout).toContain('Failed deliveries: 1');
});

test('the program without an API key says what to set', async () => {
  await expect(run({ SVC_API_KEY: '' })).rejects.toThrow('Set SVC_API_KEY to an API key.');
});
