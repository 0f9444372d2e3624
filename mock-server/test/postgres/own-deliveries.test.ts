import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { demo } from '../support/demo.ts';

// A node knows its own addresses, but not those of the other nodes. So the other node refuses.
const cleanup = new AsyncDisposableStack();
let sender: TestApi;
let target: TestApi;
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase());
  const node = { databaseUrl: url, masterKey: TEST_MASTER_KEY, rateLimit: false };
  sender = cleanup.use(await startApi({ ...node, allowNetworks: ['0.0.0.0/0', '::/0'] }));
  // All deliveries and syncs are of the sender.
  target = cleanup.use(await startApi({ ...node, roles: ['api'] }));
});
afterAll(() => cleanup.disposeAsync());

const tenant = { credential: demo.globex.key };

const snapshots = async (): Promise<string[]> =>
  (await target.call('GET', '/_control/snapshots')).body.snapshots.map(({ name }: { name: string }) => name);

describe('A delivery from one node of a fleet to another one', () => {
  test.each([
    '/_control/snapshots/stolen',
    `/_control/workspaces/${demo.production.id}/evaluate`,
    '/dashboard',
    '/metrics',
  ])('is refused: %s', async (path) => {
    const { body } = await target.call('POST', '/v1/webhooks/endpoints', {
      ...tenant,
      body: { url: target.server.url + path, subscribedEvents: ['lifecycle.*'] },
    });
    const sent = await target.call('POST', `/v1/webhooks/endpoints/${body.endpoint.id}/send-test-event`, tenant);
    expect((await sender.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
    const shown = await target.call('GET', `/v1/webhooks/deliveries/${sent.body.ping.deliveryId}`, tenant);
    const { responseStatus, responseBody } = shown.body.delivery;
    expect([responseStatus, JSON.parse(responseBody).error.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('changes nothing', async () => {
    expect(await snapshots()).not.toContain('stolen');
    const evaluations = await target.call('GET', `/_control/workspaces/${demo.production.id}/evaluations`);
    expect(evaluations.body.data).toEqual([]);
    // The same requests from a developer are accepted.
    expect((await target.call('POST', '/_control/snapshots/own')).status).toBe(200);
    expect(await snapshots()).toContain('own');
  });
});

test('a data source cannot be the export of another node', async () => {
  const path = `/_control/workspaces/${demo.globex.id}/data-source`;
  const location = `${target.server.url}/_control/export`;
  await sender.call('PUT', path, { body: { kind: 'ndjson', location } });
  const { body } = await sender.call('POST', `${path}/sync`);
  expect(body.sync).toMatchObject({ rejected: 0, error: `Cannot read ${location}: it responded with HTTP 403.` });
});
