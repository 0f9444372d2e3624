import assert from 'node:assert/strict';
import { assertShape, id, listOf, nothing, oneOf, text, time } from '../shape.ts';
import { section } from '../statement.ts';
import { demo, userOf } from '../tenants.ts';

const { state, statements } = section('decision', 'Identifiers and shapes');
export const shapes = statements;

const key = { as: demo.productionKey };

state(
  'ids.ulid',
  'An id is a prefix and a time-ordered suffix of 26 characters, so ids sort in the order of creation',
  async (probe) => {
    // One process must generate all ids: ids of different processes do not always sort in the order of creation.
    const events = Array(5).fill({ workspaceId: demo.production, type: 'lifecycle.evaluated' });
    const { body } = await probe.control('POST', '/events', { events });
    const ids = body.events.map(({ event }: { event: { id: string } }) => event.id);
    for (const id of ids) assert.match(id, /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(new Set(ids).size, ids.length);
  },
);

state(
  'ids.own-prefixes',
  'This project adds the prefixes usr_, key_, pat_ and ntf_, each followed by a suffix of 26 characters',
  async (probe) => {
    const { user } = (await probe.control('POST', '/users', { email: 'new@acme.test', name: 'New' })).body;
    const issue = async (body: object) => (await probe.control('POST', '/credentials', body)).body.id;
    const { url } = await probe.receiver(500);
    await probe.endpoint(url);
    for (let count = 0; count < 5; count++) await probe.event();
    await probe.advance('30d');
    const { data } = (await probe.control('GET', '/notifications')).body;
    for (const [prefix, value] of [
      ['usr_', user.id],
      ['key_', await issue({ kind: 'api_key', workspaceId: demo.production })],
      ['pat_', await issue({ kind: 'personal_access_token', userId: user.id })],
      ['ntf_', data[0].id],
    ] as const) {
      assert.ok(id(prefix)(value), value);
    }
  },
);

state(
  'shapes.me',
  'GET /v1/me returns credential, user (null for an API key) and workspace (the key’s workspace or the workspace in the header, otherwise null)',
  async (probe) => {
    const me = async (as: string, workspace?: string) =>
      (await probe.call('GET', '/v1/me', { as, ...(workspace !== undefined && { workspace }) })).body;
    const credential = { kind: oneOf('api_key', 'personal_access_token'), test: oneOf(true), createdAt: time };
    const workspace = { id: text, organizationId: oneOf(demo.acme), slug: text, name: text, permissions: listOf(text) };

    const apiKey = await me(demo.productionKey);
    assert.deepEqual(Object.keys(apiKey), ['credential', 'user', 'workspace']);
    assertShape(apiKey.credential, { ...credential, id: id('key_'), kind: oneOf('api_key') });
    assert.equal(apiKey.user, null);
    assertShape(apiKey.workspace, {
      ...workspace,
      id: oneOf(demo.production),
      slug: oneOf('production'),
      role: nothing,
    });

    const token = await me(demo.viewer);
    assertShape(token.credential, { ...credential, id: id('pat_'), kind: oneOf('personal_access_token') });
    assertShape(token.user, { id: id('usr_'), email: oneOf('vera@acme.test'), name: oneOf('Vera Viewer') });
    assert.equal(token.workspace, null);
    const scoped = await me(demo.viewer, demo.staging);
    assert.deepEqual([scoped.credential, scoped.user], [token.credential, token.user]);
    assertShape(scoped.workspace, { ...workspace, id: oneOf(demo.staging), role: oneOf('Admin') });
  },
);

state(
  'shapes.search',
  'Search finds endpoints by URL and description: every search word must match the beginning of a word, case and accents are ignored, and the best match comes first',
  async (probe) => {
    const make = async (url: string, description?: string) =>
      (
        await probe.call('POST', '/v1/webhooks/endpoints', {
          ...key,
          body: { url, subscribedEvents: ['*'], description },
        })
      ).body.endpoint.id;
    const cafe = await make('https://billing.test/', 'Café münchen');
    const prefix = await make('https://cafeteria.test/');
    const search = async (query: Record<string, string>) =>
      (await probe.call('GET', `/v1/search?${new URLSearchParams(query)}`, key)).body.data;
    const ids = async (q: string) => (await search({ q })).map((hit: { id: string }) => hit.id);
    assert.deepEqual(await search({ q: 'CAFE mun' }), [
      {
        id: cafe,
        type: 'webhook_endpoint',
        title: 'https://billing.test/',
        snippet: 'Café münchen',
        url: `/v1/webhooks/endpoints/${cafe}`,
      },
    ]);
    assert.equal((await search({ q: 'cafeteria' }))[0].snippet, null);
    // A whole word is a better match than a prefix.
    assert.deepEqual(await ids('cafe'), [cafe, prefix]);
    for (const q of ['cafe nowhere', 'afe', 'unchen']) assert.deepEqual(await ids(q), [], q);
    assert.equal((await search({ q: 'billing', type: 'webhook_endpoint' })).length, 1);
    assert.equal((await search({ q: 'billing', type: 'profile' })).length, 0);
  },
  'key',
);

state(
  'shapes.search-input',
  'q is required and has 1 to 200 characters; type is profile or webhook_endpoint',
  async (probe) => {
    for (const [query, expected] of [
      ['', 400],
      ['?q=', 400],
      [`?q=${'x'.repeat(201)}`, 400],
      [`?q=${'x'.repeat(200)}`, 200],
      [`?q=${encodeURIComponent('😀'.repeat(200))}`, 200],
      ['?q=x&type=other', 400],
      ['?q=x&type=profile', 200],
    ] as const) {
      const { status, body } = await probe.call('GET', `/v1/search${query}`, key);
      assert.deepEqual([status, body.error?.code], [expected, expected === 400 ? 'VALIDATION' : undefined], query);
    }
  },
  'key',
);

state('shapes.images', 'logo and image are absolute URLs, or null', async (probe) => {
  const userId = userOf(demo.owner);
  for (const url of ['https://pictures.test/a.png', null]) {
    const { organization } = (await probe.control('POST', '/organizations', { name: 'Pictured', logo: url })).body;
    await probe.control('PUT', `/organizations/${organization.id}/members/${userId}`, { role: 'Owner' });
    await probe.control('POST', '/workspaces', { organizationId: organization.id, name: 'Pictured', image: url });
    const { data } = (await probe.call('GET', '/v1/organizations?expand=workspaces', { as: demo.owner })).body;
    const shown = data.find((item: { id: string }) => item.id === organization.id);
    assert.deepEqual([shown.logo, shown.workspaces[0].image], [url, url]);
  }
  assert.equal((await probe.control('POST', '/organizations', { name: 'Relative', logo: '/a.png' })).status, 400);
});

state('shapes.replay-202', 'Replaying a delivery returns 202, and retrieving a delivery returns 200', async (probe) => {
  const receiver = await probe.receiver();
  await probe.endpoint(receiver.url);
  const { deliveries } = await probe.event();
  const path = `/v1/webhooks/deliveries/${deliveries[0]?.id}`;
  assert.equal((await probe.call('GET', path, key)).status, 200);
  assert.equal((await probe.call('POST', `${path}/replay`, key)).status, 202);
});

state(
  'shapes.catalog',
  'The catalog is paginated and contains the three documented types, ordered by type, in the categories Lifecycle and Webhooks',
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
  'key',
);

state(
  'shapes.catalog-paths',
  'Both paths of the catalog return the same responses, and each path accepts the other path’s page tokens',
  async (probe) => {
    const one = await probe.call('GET', '/v1/webhooks/event-types?limit=1', key);
    const other = await probe.call('GET', '/v1/webhooks/endpoints/event-types?limit=1', key);
    assert.deepEqual(one.body.data, other.body.data);
    const { searchParams } = new URL(one.body.nextPageUrl);
    const crossed = await probe.call('GET', `/v1/webhooks/endpoints/event-types?${searchParams}`, key);
    assert.deepEqual(crossed.body.data, (await probe.call('GET', one.body.nextPageUrl, key)).body.data);
  },
  'key',
);

state(
  'shapes.catalog-seed',
  'A seed can add event types to the catalog, and endpoints can subscribe to these types',
  async (probe) => {
    const seed = {
      organizations: [
        {
          slug: 'seeded',
          name: 'Seeded',
          workspaces: [
            {
              id: 'wsp_SEEDED',
              slug: 'main',
              name: 'Main',
              apiKeys: [{ credential: 'svc_sk_test_seeded' }],
              endpoints: [{ url: 'https://receiver.test/', subscribedEvents: ['invoice.*'] }],
            },
          ],
        },
      ],
      eventTypes: [{ type: 'invoice.paid', category: 'Billing', description: 'An invoice was paid.' }],
    };
    assert.equal((await probe.control('POST', '/reset', { seed })).status, 200);
    const { body } = await probe.call('GET', '/v1/webhooks/event-types', { as: 'svc_sk_test_seeded' });
    assert.deepEqual(body.data[0], seed.eventTypes[0]);
    assert.equal(body.data.length, 4);
    const caused = await probe.control('POST', '/events', { workspaceId: 'wsp_SEEDED', type: 'invoice.paid' });
    assert.equal(caused.body.deliveries.length, 1);
  },
);
