import assert from 'node:assert/strict';
import { OPERATIONS } from '../operations.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Errors');
export const errors = statements;

const key = { as: demo.productionKey };
const path = `/v1/workspaces/${demo.production}`;

state('errors.request-id', 'Every response has its own Service-Request-Id', async (probe) => {
  const responses = [
    await probe.call('GET', '/v1/me', { as: demo.owner }),
    await probe.call('GET', '/v1/me'),
    await probe.call('GET', '/nothing'),
    await probe.call('PUT', '/v1/me'),
    await probe.call('GET', '/v1/workspaces', key),
    await probe.call('GET', '/v1/events?limit=0', key),
    await probe.call('GET', '/v1/events/evt_x', key),
    await probe.call('PATCH', path, { ...key, body: { slug: 'staging' } }),
    await probe.call('GET', `/v1/me?${'q'.repeat(10_000)}`, key),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 401, 404, 405, 403, 400, 404, 409, 414],
  );
  const ids = responses.map(({ headers }) => headers.get('service-request-id'));
  assert.ok(ids.every(Boolean));
  assert.equal(new Set(ids).size, ids.length);
});

state(
  'errors.unauthenticated',
  'For a missing, malformed, unknown or revoked credential, the API returns 401 UNAUTHENTICATED, with WWW-Authenticate: Bearer',
  async (probe) => {
    const issued = await probe.control('POST', '/credentials', { kind: 'api_key', workspaceId: demo.production });
    await probe.control('DELETE', `/credentials/${issued.body.id}`);
    for (const authorization of [
      undefined,
      'Bearer',
      'Bearer nonsense',
      'Bearer svc_sk_test_unknown',
      'Bearer svc_pat_unknown',
      `Bearer ${issued.body.credential}`,
      `Bearer ${demo.owner}x`,
      `Bearer ${demo.owner} x`,
      `Basic ${demo.owner}`,
      demo.owner,
    ]) {
      const { status, body, headers } = await probe.call('GET', '/v1/me', {
        headers: authorization === undefined ? {} : { authorization },
      });
      assert.deepEqual(
        [status, body.error.code, headers.get('www-authenticate')],
        [401, 'UNAUTHENTICATED', 'Bearer'],
        authorization,
      );
    }
  },
);

state(
  'errors.not-found',
  'For an unknown route, the API returns 404 NOT_FOUND; for a resource of another workspace, the API returns the same error as for a resource that never existed',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id: endpoint } = await probe.endpoint(receiver.url);
    const { event, deliveries } = await probe.event();
    await probe.settle();
    const nobodys = '01DEM0000000000000000000ZZ';
    for (const [method, of, id] of [
      ['GET', '/v1/webhooks/endpoints/{id}', endpoint],
      ['PATCH', '/v1/webhooks/endpoints/{id}', endpoint],
      ['DELETE', '/v1/webhooks/endpoints/{id}', endpoint],
      ['POST', '/v1/webhooks/endpoints/{id}/rotate-secret', endpoint],
      ['POST', '/v1/webhooks/endpoints/{id}/send-test-event', endpoint],
      ['GET', '/v1/webhooks/deliveries/{id}', String(deliveries[0]?.id)],
      ['POST', '/v1/webhooks/deliveries/{id}/replay', String(deliveries[0]?.id)],
      ['GET', '/v1/events/{id}', event.id],
    ] as const) {
      const ask = async (text: string) => {
        const options = { as: demo.stagingKey, ...(method === 'PATCH' && { body: { active: false } }) };
        const { status, body } = await probe.call(method, of.replace('{id}', text), options);
        return { status, code: body.error.code, message: body.error.message.replaceAll(text, '') };
      };
      const foreign = await ask(id);
      assert.deepEqual([foreign.status, foreign.code], [404, 'NOT_FOUND'], of);
      assert.deepEqual(foreign, await ask(`${id.slice(0, 4)}${nobodys}`));
    }
    assert.equal((await probe.call('GET', `/v1/webhooks/endpoints/${endpoint}`, key)).body.endpoint.active, true);
    for (const unknown of ['/v1/unknown', '/v1', '/v1/me/', '/v1/workspaces/a/b', '/v1/webhooks']) {
      const { status, body } = await probe.call('GET', unknown, key);
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], unknown);
    }
  },
);

state(
  'errors.method',
  'For an unsupported method on a known path, the API returns 405 METHOD_NOT_ALLOWED with the header Allow',
  async (probe) => {
    const known = Map.groupBy(OPERATIONS, ([, path]) => path);
    for (const [path, operations] of known) {
      const allowed = operations.map(([method]) => String(method));
      if (allowed.includes('GET')) allowed.push('HEAD');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (allowed.includes(method)) continue;
        const { status, body, headers } = await probe.call(method, path, key);
        assert.deepEqual([status, body?.error.code], [405, 'METHOD_NOT_ALLOWED'], `${method} ${path}`);
        assert.deepEqual(String(headers.get('allow')).split(', ').sort(), allowed.toSorted(), `${method} ${path}`);
      }
    }
  },
  'key',
);

state(
  'errors.head',
  'HEAD responds like GET, without a body',
  async (probe) => {
    for (const [target, options] of [
      ['/v1/events', key],
      ['/v1/events', {}],
      ['/v1/nothing', key],
    ] as const) {
      const [get, head] = [await probe.call('GET', target, options), await probe.call('HEAD', target, options)];
      assert.deepEqual([head.status, head.text], [get.status, '']);
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
      assert.ok(head.headers.get('service-request-id'));
      assert.equal(head.headers.has('ratelimit'), get.headers.has('ratelimit'));
    }
  },
  'key',
);

state(
  'errors.conflict',
  'The API returns 409 CONFLICT if a slug is taken, or if a test event or a replay is requested for an inactive endpoint; a test event to a deleted endpoint returns 404',
  async (probe) => {
    const taken = await probe.call('PATCH', path, { ...key, body: { slug: 'staging' } });
    assert.deepEqual([taken.status, taken.body.error.code], [409, 'CONFLICT']);
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const one = `/v1/webhooks/endpoints/${id}`;
    const replay = `/v1/webhooks/deliveries/${deliveries[0]?.id}/replay`;
    await probe.call('PATCH', one, { ...key, body: { active: false } });
    const codeOf = async (target: string) => {
      const { status, body } = await probe.call('POST', target, key);
      return [status, body.error?.code];
    };
    assert.deepEqual(await codeOf(`${one}/send-test-event`), [409, 'CONFLICT']);
    assert.deepEqual(await codeOf(replay), [409, 'CONFLICT']);
    await probe.call('DELETE', one, key);
    assert.deepEqual(await codeOf(replay), [409, 'CONFLICT']);
    assert.deepEqual(await codeOf(`${one}/send-test-event`), [404, 'NOT_FOUND']);
    assert.equal((await probe.call('GET', '/v1/webhooks/deliveries', key)).body.data.length, 1);
  },
);

state(
  'errors.body',
  'The API returns 413 PAYLOAD_TOO_LARGE for a body over 1 MiB, 415 UNSUPPORTED_MEDIA_TYPE for a type other than JSON, and 400 for malformed JSON',
  async (probe) => {
    const send = async (rawBody: string, type: string) => {
      const { status, body } = await probe.call('PATCH', path, { ...key, rawBody, headers: { 'content-type': type } });
      return [status, body.error?.code];
    };
    const sized = (bytes: number) => `{"unknown":"${'x'.repeat(bytes - '{"unknown":""}'.length)}"}`;
    const mebibyte = 1024 * 1024;
    assert.deepEqual(await send(sized(mebibyte), 'application/json'), [200, undefined]);
    assert.deepEqual(await send(sized(mebibyte + 1), 'application/json'), [413, 'PAYLOAD_TOO_LARGE']);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      assert.deepEqual(await send('{}', type), [415, 'UNSUPPORTED_MEDIA_TYPE'], type);
    }
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json']) {
      assert.deepEqual(await send('{}', type), [200, undefined], type);
    }
    for (const broken of ['{"a":', '', 'nonsense', '{"name":"\\u0000"}', '[]', '"text"', 'null', '7']) {
      assert.deepEqual(await send(broken, 'application/json'), [400, 'VALIDATION'], broken);
    }
  },
  'key',
);

state(
  'errors.uri',
  'For a request target over the length limit, the API returns 414 URI_TOO_LONG',
  async (probe) => {
    const { status, body } = await probe.call('GET', `/v1/me?${'q'.repeat(10_000)}`, key);
    assert.deepEqual([status, body.error.code], [414, 'URI_TOO_LONG']);
    assert.equal((await probe.call('GET', `/v1/me?${'q'.repeat(4_000)}`, key)).status, 200);
  },
  'key',
);

state(
  'errors.headers',
  'For headers over the size limit, the API returns 431 HEADERS_TOO_LARGE',
  async (probe) => {
    const send = (length: number) => probe.call('GET', '/v1/me', { ...key, headers: { 'x-long': 'h'.repeat(length) } });
    const { status, body } = await send(40_000);
    assert.deepEqual([status, body.error.code], [431, 'HEADERS_TOO_LARGE']);
    assert.equal((await send(8_000)).status, 200);
  },
  'key',
);

state(
  'errors.expand-empty',
  'An empty expand expands nothing; the names in expand are case-sensitive; an operation that does not support expand ignores it, like any unknown parameter',
  async (probe) => {
    const ask = (query: string) => probe.call('GET', `/v1/organizations?expand=${query}`, { as: demo.owner });
    assert.ok(!('workspaces' in (await ask('')).body.data[0]));
    assert.ok('workspaces' in (await ask(',workspaces,')).body.data[0]);
    assert.equal((await ask('Workspaces')).status, 400);
    assert.equal((await probe.call('GET', '/v1/workspaces?expand=anything', { as: demo.owner })).status, 200);
  },
  'token',
);
