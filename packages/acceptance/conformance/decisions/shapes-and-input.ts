import assert from 'node:assert/strict';
import { demo, type Probe } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('decision', 'Shapes and input');
export const shapesAndInput = statements;

const key = { as: demo.productionKey };

state(
  'ids.ulid',
  'Identifiers are a prefix and a 26-character, time-ordered suffix; the order by id is that of creation',
  async (probe) => {
    // In one call, and so in one process: several servers draw their ids independently.
    const events = Array(5).fill({ workspaceId: demo.production, type: 'lifecycle.evaluated' });
    const { body } = await probe.control('POST', '/events', { events });
    const ids = body.events.map(({ event }: { event: { id: string } }) => event.id);
    for (const id of ids) assert.match(id, /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(ids, ids.toSorted());
  },
);

state(
  'shapes.me',
  'GET /v1/me has credential, user (null for an API key) and workspace (bound, or named by the header, else null)',
  async (probe) => {
    const apiKey = await probe.call('GET', '/v1/me', key);
    assert.deepEqual(Object.keys(apiKey.body), ['credential', 'user', 'workspace']);
    assert.deepEqual(Object.keys(apiKey.body.credential).sort(), ['createdAt', 'id', 'kind', 'test']);
    assert.deepEqual([apiKey.body.user, apiKey.body.workspace.role], [null, null]);
    const token = await probe.call('GET', '/v1/me', { as: demo.viewer });
    assert.deepEqual(Object.keys(token.body.user).sort(), ['email', 'id', 'name']);
    assert.equal(token.body.workspace, null);
    const scoped = await probe.call('GET', '/v1/me', { as: demo.viewer, workspace: demo.staging });
    assert.equal(scoped.body.workspace.role, 'Admin');
  },
);

state(
  'shapes.search',
  'Search finds endpoints by URL and description: every word, by prefix, ignoring case and accents',
  async (probe) => {
    await probe.call('POST', '/v1/webhooks/endpoints', {
      ...key,
      body: { url: 'https://billing.test/', subscribedEvents: ['*'], description: 'Café münchen' },
    });
    const hits = async (q: string, type = '') =>
      (await probe.call('GET', `/v1/search?q=${encodeURIComponent(q)}${type}`, key)).body.data;
    const [hit] = await hits('CAFE mun');
    assert.deepEqual(Object.keys(hit).sort(), ['id', 'snippet', 'title', 'type', 'url']);
    assert.equal(hit.type, 'webhook_endpoint');
    assert.equal((await hits('cafe nowhere')).length, 0);
    assert.equal((await hits('afe')).length, 0);
    assert.equal((await hits('billing', '&type=profile')).length, 0);
    for (const query of ['', '?q=', `?q=${'x'.repeat(201)}`, '?q=x&type=other']) {
      assert.equal((await probe.call('GET', `/v1/search${query}`, key)).status, 400, query);
    }
  },
);

state('shapes.replay-202', 'Replay is 202, retrieving a delivery 200', async (probe) => {
  const receiver = await probe.receiver();
  await probe.endpoint(receiver.url);
  const { deliveries } = await probe.event();
  const path = `/v1/webhooks/deliveries/${deliveries[0]?.id}`;
  assert.equal((await probe.call('GET', path, key)).status, 200);
  assert.equal((await probe.call('POST', `${path}/replay`, key)).status, 202);
});

state(
  'shapes.catalog',
  'The catalog has the three documented types, in the categories Lifecycle and Webhooks, ordered by type, paginated',
  async (probe) => {
    const first = await probe.call('GET', '/v1/webhooks/event-types?limit=2', key);
    const second = await probe.call('GET', first.body.nextPageUrl, key);
    assert.deepEqual(
      [...first.body.data, ...second.body.data].map(({ type, category }) => [type, category]),
      [
        ['lifecycle.evaluated', 'Lifecycle'],
        ['webhook.endpoint.auto_disabled', 'Webhooks'],
        ['webhook.ping', 'Webhooks'],
      ],
    );
  },
);

const patch = (probe: Probe, body: unknown) =>
  probe.call('PATCH', `/v1/workspaces/${demo.production}`, { ...key, body });

state(
  'input.code-points',
  'Lengths count Unicode code points; name is trimmed and its bounds hold after that',
  async (probe) => {
    assert.equal((await patch(probe, { name: '😀'.repeat(120) })).status, 200);
    assert.equal((await patch(probe, { name: '😀'.repeat(121) })).status, 400);
    assert.equal((await patch(probe, { name: `  ${'n'.repeat(120)} ` })).body.workspace.name, 'n'.repeat(120));
    assert.equal((await patch(probe, { name: '   ' })).status, 400);
  },
);

state('input.slug', 'slug is words of [a-z0-9] joined by single - or _', async (probe) => {
  for (const slug of ['a', 'a-b', 'a_b-c', '0']) assert.equal((await patch(probe, { slug })).status, 200, slug);
  for (const slug of ['A', 'a--b', '-a', 'a-', 'a b', 'ä', 'a-_b'])
    assert.equal((await patch(probe, { slug })).status, 400, slug);
});

state('input.timezone', 'timezone is a zone that the runtime’s Intl accepts, kept as given', async (probe) => {
  for (const timezone of ['Europe/Berlin', 'utc', 'America/New_York']) {
    assert.equal((await patch(probe, { timezone })).body.workspace.timezone, timezone);
  }
  for (const timezone of ['Mars/Olympus', 'Berlin']) assert.equal((await patch(probe, { timezone })).status, 400);
});

state('input.unknown', 'Unknown query parameters and body fields are ignored', async (probe) => {
  assert.equal((await patch(probe, { colour: 'red' })).status, 200);
  assert.equal((await probe.call('GET', '/v1/events?colour=red', key)).status, 200);
});

state(
  'input.filters',
  'An unknown status filter is 400; an unknown event type, endpoint or subject gives an empty list',
  async (probe) => {
    await probe.endpoint('https://receiver.test/');
    await probe.event();
    assert.equal((await probe.call('GET', '/v1/webhooks/deliveries?status=lost', key)).status, 400);
    for (const path of [
      '/v1/webhooks/deliveries?eventType=made.up',
      '/v1/webhooks/deliveries?endpointId=whatever',
      '/v1/events?type=made.up',
      '/v1/events?subjectId=whatever',
    ]) {
      assert.deepEqual((await probe.call('GET', path, key)).body.data, [], path);
    }
    for (const at of ['yesterday', '2026-01-01', '2026-01-01T00:00:00']) {
      assert.equal((await probe.call('GET', `/v1/webhooks/deliveries?createdFrom=${at}`, key)).status, 400, at);
    }
  },
);

state(
  'input.page-token',
  'A page token is bound to its list, filters and workspace; a changed one is refused',
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
    const changed = `${page.slice(0, -2)}${page.at(-2) === 'A' ? 'B' : 'A'}${page.at(-1)}`;
    assert.equal(await status(`/v1/events?page=${changed}`), 400);
  },
);

state(
  'input.page-url-limit',
  'Page URLs carry limit; previousPageUrl is null when nothing stands before the page',
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

state('input.description', 'description is null where there is none; PATCH with null clears it', async (probe) => {
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
});

const create = (probe: Probe, body: object) =>
  probe.call('POST', '/v1/webhooks/endpoints', {
    ...key,
    body: { url: 'https://receiver.test/', subscribedEvents: ['*'], ...body },
  });

state(
  'input.url',
  'url has at most 2,048 characters, no user info, no fragment; it comes back as it was given',
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
);

state('input.loopback-http', 'In the local profile http is accepted for loopback receivers only', async (probe) => {
  for (const url of ['http://localhost:1/', 'http://127.0.0.1/', 'http://127.9.9.9/', 'http://[::1]/']) {
    assert.equal((await create(probe, { url })).status, 201, url);
  }
  for (const url of ['http://receiver.test/', 'http://localhost.test/', 'http://10.0.0.1/']) {
    assert.equal((await create(probe, { url })).status, 400, url);
  }
});

state(
  'input.literal-addresses',
  'A literal private, link-local, multicast or metadata address is refused at creation',
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
);

state(
  'input.subscribed-events',
  'subscribedEvents has 1 to 100 entries as sent; duplicates are folded and the order is kept',
  async (probe) => {
    const { body } = await create(probe, { subscribedEvents: ['webhook.ping', '*', 'webhook.ping', 'lifecycle.*'] });
    assert.deepEqual(body.endpoint.subscribedEvents, ['webhook.ping', '*', 'lifecycle.*']);
    assert.equal((await create(probe, { subscribedEvents: Array(100).fill('*') })).status, 201);
    assert.equal((await create(probe, { subscribedEvents: Array(101).fill('*') })).status, 400);
    for (const pattern of ['lifecycle*', 'life.*', '**', '.*', '']) {
      assert.equal((await create(probe, { subscribedEvents: [pattern] })).status, 400, pattern);
    }
  },
);

state('input.endpoint-limit', 'A workspace has at most 100 endpoints (409)', async (probe) => {
  const answers = await Promise.all(Array.from({ length: 103 }, () => create(probe, {})));
  assert.equal(answers.filter(({ status }) => status === 201).length, 100);
  assert.equal(answers.filter(({ status }) => status === 409).length, 3);
});
