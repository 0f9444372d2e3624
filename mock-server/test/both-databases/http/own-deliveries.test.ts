import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { startReceiver } from '../../support/receiver.ts';

// A tenant chooses the URL of its endpoint, and reads the response to each delivery.
const tenant = { credential: demo.globex.key };

let api: TestApi;
/** Another server on this machine. */
let other: TestApi;
beforeAll(async () => {
  // Everything is allowed that a user can allow.
  api = await startApi({ rateLimit: false, allowNetworks: ['0.0.0.0/0', '::/0'] });
  other = await startApi({ rateLimit: false });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

/** Sends one delivery to a URL, and returns it with the response that the tenant can read. */
async function deliverTo(url: string, from = api) {
  const created = await from.call('POST', '/v1/webhooks/endpoints', {
    ...tenant,
    body: { url, subscribedEvents: ['lifecycle.*'] },
  });
  expect(created.status).toBe(201);
  const endpoint = `/v1/webhooks/endpoints/${created.body.endpoint.id}`;
  const sent = await from.call('POST', `${endpoint}/send-test-event`, tenant);
  expect(sent.status).toBe(202);
  await from.call('POST', '/_control/settle', { body: {} });
  const { delivery } = (await from.call('GET', `/v1/webhooks/deliveries/${sent.body.ping.deliveryId}`, tenant)).body;
  await from.call('DELETE', endpoint, tenant);
  return delivery;
}

/** The names of the snapshots. A database that tests share may have some of others. */
const snapshotsOf = async (server: TestApi): Promise<string[]> =>
  (await server.call('GET', '/_control/snapshots')).body.snapshots.map(({ name }: { name: string }) => name);

describe('A delivery to the server itself makes no request', () => {
  test.each([
    ['its URL', 'http://127.0.0.1'],
    ['decimal', 'http://2130706433'],
    ['hexadecimal', 'http://0x7f.1'],
    ['octal', 'http://0177.0.0.01'],
    ['a short form', 'http://127.1'],
    ['another loopback address', 'http://127.0.0.2'],
    ['localhost', 'http://localhost'],
    ['localhost in capitals', 'http://LOCALHOST'],
    ['IPv6', 'http://[::1]'],
    ['IPv6, written in full', 'http://[0:0:0:0:0:0:0:1]'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]'],
    ['NAT64', 'https://[64:ff9b::127.0.0.1]'],
    ['6to4', 'https://[2002:7f00:1::]'],
    ['the unspecified address', 'https://0.0.0.0'],
    ['the unspecified IPv6 address', 'https://[::]'],
    ['a name that resolves to it', 'https://name.localhost'],
  ])('%s', async (_what, base) => {
    const delivery = await deliverTo(`${base}:${api.server.port}/_control/snapshots/stolen`);
    expect(delivery).toMatchObject({ error: 'Blocked address', responseStatus: null, responseBody: null });
    expect(await snapshotsOf(api)).not.toContain('stolen');
  });

  test('through its public URL on loopback', async () => {
    await using proxy = await startReceiver(200);
    await using published = await startApi({ publicUrl: new URL(proxy.url).origin });
    const { port } = new URL(proxy.url);
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const delivery = await deliverTo(`http://${host}:${port}/_control/snapshots/stolen`, published);
      expect(delivery).toMatchObject({ error: 'Blocked address', responseStatus: null });
    }
    expect(proxy.received).toEqual([]);
  });

  test('but a receiver on another port of this machine gets its deliveries', async () => {
    await using receiver = await startReceiver(200);
    expect(await deliverTo(receiver.url)).toMatchObject({ error: null, responseStatus: 200 });
    const { port } = new URL(receiver.url);
    expect(await deliverTo(`http://localhost:${port}/hook`)).toMatchObject({ error: null, responseStatus: 200 });
  });
});

describe("A delivery that reaches a server's control API is refused", () => {
  test.each(['/_control/snapshots/stolen', '/_control/settle', '/dashboard', '/docs', '/metrics'])(
    '%s',
    async (path) => {
      const delivery = await deliverTo(other.server.url + path);
      expect(delivery.responseStatus).toBe(403);
      expect(JSON.parse(delivery.responseBody).error.code).toBe('FORBIDDEN');
      expect(await snapshotsOf(other)).not.toContain('stolen');
    },
  );

  test.each(['webhook-id', 'webhook-signature'])('because it has %s', async (name) => {
    const ask = (headers: Record<string, string>) => other.call('POST', '/_control/settle', { headers, body: {} });
    expect((await ask({ [name]: 'x' })).status).toBe(403);
    expect((await ask({ 'webhook-timestamp': '1' })).status).toBe(200);
  });
});

test.each(['/_control/export', '/metrics'])('a data source cannot be %s of another server', async (path) => {
  const source = `/_control/workspaces/${demo.globex.id}/data-source`;
  const location = other.server.url + path;
  await api.call('PUT', source, { body: { kind: 'ndjson', location } });
  const { body } = await api.call('POST', `${source}/sync`, { body: {} });
  expect(body.sync).toMatchObject({ rejected: 0, error: `Cannot read ${location}: it responded with HTTP 403.` });
  // The same request without the mark of a data source is answered.
  expect((await fetch(location)).status).toBe(200);
});

test('a data source that redirects to the server reads nothing', async () => {
  const { port } = api.server;
  const redirecting = createServer((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${port}/_control/export` }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => redirecting.once('listening', resolve));
  const location = `http://127.0.0.1:${(redirecting.address() as { port: number }).port}/`;
  const path = `/_control/workspaces/${demo.globex.id}/data-source`;
  await api.call('PUT', path, { body: { kind: 'ndjson', location } });
  const { body } = await api.call('POST', `${path}/sync`, { body: {} });
  expect(body).toMatchObject({ sync: { upserted: 0, rejected: 0, error: expect.stringContaining('not allowed') } });
  redirecting.close();
});
