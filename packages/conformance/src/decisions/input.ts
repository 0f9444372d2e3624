import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Input');
export const input = statements;

const key = { as: demo.productionKey };
const create = (probe: Probe, body: object) =>
  probe.call('POST', '/v1/webhooks/endpoints', {
    ...key,
    body: { url: 'https://receiver.test/', subscribedEvents: ['*'], ...body },
  });

const patch = (probe: Probe, body: unknown) =>
  probe.call('PATCH', `/v1/workspaces/${demo.production}`, { ...key, body });

state(
  'input.code-points',
  'Lengths are counted in Unicode code points; name is trimmed before its length is checked',
  async (probe) => {
    assert.equal((await patch(probe, { name: '😀'.repeat(120) })).status, 200);
    assert.equal((await patch(probe, { name: '😀'.repeat(121) })).status, 400);
    assert.equal((await patch(probe, { name: `  ${'n'.repeat(120)} ` })).body.workspace.name, 'n'.repeat(120));
    assert.equal((await patch(probe, { name: '   ' })).status, 400);
    const describe = async (description: string) => (await create(probe, { description })).status;
    assert.deepEqual([await describe('😀'.repeat(500)), await describe('😀'.repeat(501))], [201, 400]);
  },
  'key',
);

state('input.slug', 'slug consists of words of [a-z0-9], joined by a single - or _', async (probe) => {
  for (const slug of ['a', 'a-b', 'a_b-c', '0']) assert.equal((await patch(probe, { slug })).status, 200, slug);
  for (const slug of ['A', 'a--b', '-a', 'a-', 'a b', 'ä', 'a-_b'])
    assert.equal((await patch(probe, { slug })).status, 400, slug);
});

state(
  'input.timezone',
  'timezone is stored unchanged if the runtime’s Intl accepts the zone name; for an unknown name or an offset, the API returns 400',
  async (probe) => {
    for (const timezone of ['Europe/Berlin', 'utc', 'America/New_York']) {
      assert.equal((await patch(probe, { timezone })).body.workspace.timezone, timezone);
    }
    for (const timezone of ['Mars/Olympus', 'Berlin', '+05:30', '-0530', '+05']) {
      assert.equal((await patch(probe, { timezone })).status, 400, timezone);
    }
  },
  'key',
);

state(
  'input.unknown',
  'Unknown query parameters and body fields are ignored, but named in the request log and in Service-Ignored',
  async (probe) => {
    assert.equal((await patch(probe, { colour: 'red' })).status, 200);
    const created = await create(probe, { colour: 'red', active: false });
    assert.deepEqual(
      [created.status, created.body.endpoint.active, 'colour' in created.body.endpoint],
      [201, true, false],
    );
    assert.equal((await probe.call('GET', '/v1/me?limit=nonsense&expand=x', key)).status, 200);
    assert.equal((await probe.call('GET', '/v1/events?colour=red', key)).status, 200);
    const both = await probe.call('PATCH', `/v1/workspaces/${demo.production}?dry=1`, { ...key, body: { nme: 'x' } });
    assert.deepEqual([both.status, both.headers.get('service-ignored')], [200, 'body.nme, query.dry']);
    // Each server of a fleet lists only the requests that it received, so send enough requests to reach every server.
    for (let server = 0; server < 3; server++) await probe.call('GET', '/v1/me?marker=2', key);
    const { data } = (await probe.control('GET', '/requests?ignored=true&path=/v1/me')).body;
    assert.deepEqual(data[0]?.ignored, ['query.marker']);
    assert.equal((await probe.call('GET', '/v1/me', key)).headers.get('service-ignored'), null);
  },
);

state(
  'input.repeated',
  'Repeated expand parameters are combined into one list; for any other repeated parameter, the API returns 400',
  async (probe) => {
    const organizations = (query: string) => probe.call('GET', `/v1/organizations?${query}`, { as: demo.owner });
    const both = await organizations('expand=workspaces&expand=workspaces');
    assert.equal(both.status, 200);
    assert.ok(Array.isArray(both.body.data[0].workspaces));
    for (const query of ['expand=nope&expand=workspaces', 'expand=workspaces&expand=nope', 'limit=1&limit=1']) {
      const { status, body } = await organizations(query);
      assert.deepEqual([status, body.error?.code], [400, 'VALIDATION'], query);
    }
    for (const query of ['type=webhook.ping&type=webhook.ping', 'colour=red&colour=blue']) {
      assert.equal((await probe.call('GET', `/v1/events?${query}`, key)).status, 400, query);
    }
  },
  'token',
);

state(
  'input.filters',
  'For an unknown status filter, the API returns 400; for an unknown event type, endpoint or subject, the API returns an empty list',
  async (probe) => {
    await probe.endpoint('https://receiver.test/');
    await probe.event();
    assert.equal((await probe.call('GET', '/v1/webhooks/deliveries?status=lost', key)).status, 400);
    for (const path of [
      '/v1/webhooks/deliveries?eventType=made.up',
      '/v1/webhooks/deliveries?endpointId=whatever',
      '/v1/events?type=made.up',
      '/v1/events?subjectId=whatever',
      '/v1/events?subjectType=whatever',
    ]) {
      assert.deepEqual((await probe.call('GET', path, key)).body.data, [], path);
    }
    for (const bound of ['createdFrom', 'createdTo']) {
      for (const at of ['yesterday', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '1767225600', '']) {
        const { status, body } = await probe.call('GET', `/v1/webhooks/deliveries?${bound}=${at}`, key);
        assert.deepEqual([status, body.error?.code], [400, 'VALIDATION'], `${bound}=${at}`);
      }
      for (const at of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00%2B02:00']) {
        assert.equal((await probe.call('GET', `/v1/webhooks/deliveries?${bound}=${at}`, key)).status, 200, at);
      }
    }
  },
);

state(
  'input.page-token',
  'A page token is valid only for its own list, filters and workspace; a modified token is rejected',
  async (probe) => {
    for (let count = 0; count < 3; count++) await probe.event();
    const { body } = await probe.call('GET', '/v1/events?limit=1', key);
    const page = String(new URL(body.nextPageUrl).searchParams.get('page'));
    const status = async (path: string, as: string = demo.productionKey) =>
      (await probe.call('GET', path, { as })).status;
    assert.equal(await status(`/v1/events?page=${page}`), 200);
    assert.equal(await status(`/v1/events?page=${page}&type=lifecycle.evaluated`), 400);
    assert.equal(await status(`/v1/webhooks/deliveries?page=${page}`), 400);
    assert.equal(await status(`/v1/events?page=${page}`, demo.stagingKey), 400);
    assert.equal(await status(`/v1/events?page=${page}&limit=100`), 200, 'a page token is valid with another limit');
    for (let at = 0; at < page.length; at++) {
      const changed = `${page.slice(0, at)}${page[at] === 'A' ? 'B' : 'A'}${page.slice(at + 1)}`;
      assert.equal(await status(`/v1/events?page=${changed}`), 400, `changed at ${at}`);
    }
    for (const other of [page.slice(0, -1), `${page}A`, `${page}=`, '']) {
      assert.equal(await status(`/v1/events?page=${other}`), 400, other);
    }
    const filtered = (await probe.call('GET', '/v1/events?limit=1&type=lifecycle.evaluated', key)).body.nextPageUrl;
    const token = String(new URL(filtered).searchParams.get('page'));
    assert.equal(await status(`/v1/events?page=${token}&type=lifecycle.evaluated`), 200);
    assert.equal(await status(`/v1/events?page=${token}&type=webhook.ping`), 400);
    assert.equal(await status(`/v1/events?page=${token}`), 400);
  },
);

state(
  'input.page-url-limit',
  'Page URLs contain limit; previousPageUrl is null if no rows precede the page',
  async (probe) => {
    for (let count = 0; count < 5; count++) await probe.event();
    const first = await probe.call('GET', '/v1/events?limit=2', key);
    assert.equal(new URL(first.body.nextPageUrl).searchParams.get('limit'), '2');
    const second = await probe.call('GET', first.body.nextPageUrl, key);
    const back = await probe.call('GET', second.body.previousPageUrl, key);
    assert.deepEqual(back.body.data, first.body.data);
    assert.equal(back.body.previousPageUrl, null);
  },
);

state(
  'input.no-change',
  'For workspaces and endpoints, a PATCH that changes nothing leaves updatedAt unchanged',
  async (probe) => {
    await probe.freeze();
    const { id } = await probe.endpoint('https://receiver.test/');
    for (const path of [`/v1/webhooks/endpoints/${id}`, `/v1/workspaces/${demo.production}`]) {
      const read = async () => Object.values((await probe.call('GET', path, key)).body)[0] as Record<string, unknown>;
      const before = await read();
      await probe.advance('1s');
      const { name, url } = before;
      for (const body of [{}, { name, url }, { colour: 'red' }]) {
        assert.equal((await probe.call('PATCH', path, { ...key, body })).status, 200);
        assert.deepEqual(await read(), before);
      }
      const other = { name: 'Other', url: 'https://receiver.test/other' };
      assert.equal((await probe.call('PATCH', path, { ...key, body: other })).status, 200);
      assert.notEqual((await read())['updatedAt'], before['updatedAt']);
    }
  },
);

state(
  'input.description',
  'description is null by default; PATCH with null resets description to null',
  async (probe) => {
    const { id } = await probe.endpoint('https://receiver.test/');
    const path = `/v1/webhooks/endpoints/${id}`;
    assert.equal((await probe.call('GET', path, key)).body.endpoint.description, null);
    assert.equal(
      (await probe.call('PATCH', path, { ...key, body: { description: 'd' } })).body.endpoint.description,
      'd',
    );
    assert.equal(
      (await probe.call('PATCH', path, { ...key, body: { description: null } })).body.endpoint.description,
      null,
    );
  },
  'key',
);

state(
  'input.url',
  'url has at most 2,048 characters, no user info and no fragment; the API returns url unchanged',
  async (probe) => {
    const odd = 'HTTPS://Receiver.TEST:443/a/../b?x=%7E';
    assert.equal((await create(probe, { url: odd })).body.endpoint.url, odd);
    const long = `https://receiver.test/${'a'.repeat(2048 - 22)}`;
    assert.equal((await create(probe, { url: long })).status, 201);
    for (const url of [
      `${long}a`,
      'https://u:p@receiver.test/',
      'https://u@receiver.test/',
      'https://receiver.test/#f',
    ]) {
      assert.equal((await create(probe, { url })).status, 400, url.slice(0, 40));
    }
  },
  'key',
);

state(
  'input.loopback-http',
  'In the local profile, http is accepted only for loopback receivers',
  async (probe) => {
    for (const url of ['http://localhost:1/', 'http://127.0.0.1/', 'http://127.9.9.9/', 'http://[::1]/']) {
      assert.equal((await create(probe, { url })).status, 201, url);
    }
    for (const url of ['http://receiver.test/', 'http://localhost.test/', 'http://10.0.0.1/']) {
      assert.equal((await create(probe, { url })).status, 400, url);
    }
  },
  'key',
);

state(
  'input.literal-addresses',
  'The API returns 400 if an endpoint is created with a literal private, link-local, multicast or metadata address',
  async (probe) => {
    for (const host of [
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '224.0.0.1',
      '[fe80::1]',
      '[::ffff:10.0.0.1]',
      '0xa000001',
      '2852039166',
    ]) {
      assert.equal((await create(probe, { url: `https://${host}/` })).status, 400, host);
    }
    assert.equal((await create(probe, { url: 'https://8.8.8.8/' })).status, 201);
  },
  'key',
);

state(
  'input.subscribed-events',
  'subscribedEvents has 1 to 100 entries, counted with duplicates; the service then removes duplicates and keeps the order',
  async (probe) => {
    const { body } = await create(probe, { subscribedEvents: ['webhook.ping', '*', 'webhook.ping', 'lifecycle.*'] });
    assert.deepEqual(body.endpoint.subscribedEvents, ['webhook.ping', '*', 'lifecycle.*']);
    assert.equal((await create(probe, { subscribedEvents: Array(100).fill('*') })).status, 201);
    assert.equal((await create(probe, { subscribedEvents: Array(101).fill('*') })).status, 400);
    for (const pattern of ['lifecycle*', 'life.*', '**', '.*', '']) {
      assert.equal((await create(probe, { subscribedEvents: [pattern] })).status, 400, pattern);
    }
    assert.equal((await create(probe, { subscribedEvents: ['webhook.endpoint.*'] })).status, 201);
    assert.equal((await create(probe, { subscribedEvents: ['webhook.ping.*'] })).status, 400);
  },
  'key',
);

state(
  'input.endpoint-limit',
  'A workspace has at most 100 endpoints, all on one page; the API returns 409 if another endpoint is created',
  async (probe) => {
    const responses = await Promise.all(Array.from({ length: 103 }, () => create(probe, {})));
    assert.equal(responses.filter(({ status }) => status === 201).length, 100);
    const refused = responses.filter(({ status }) => status === 409);
    assert.equal(refused.length, 3);
    for (const { body } of refused) assert.equal(body.error.code, 'CONFLICT');
    const { data } = (await probe.call('GET', '/v1/webhooks/endpoints', key)).body;
    assert.equal(data.length, 100);
    await probe.call('DELETE', `/v1/webhooks/endpoints/${data[0].id}`, key);
    assert.equal((await create(probe, {})).status, 201);
  },
);
