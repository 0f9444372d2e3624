import assert from 'node:assert/strict';
import { section } from '../statement.ts';
import { demo, userOf } from '../tenants.ts';

const { state, statements } = section('decision', 'Rate limit');
export const rateLimit = statements;

const production = `/v1/workspaces/${demo.production}`;
const LIMIT = /^"default";r=(\d+);t=(\d+)$/;

state(
  'rate.headers',
  'Every response to an authenticated request has RateLimit-Policy and RateLimit; no other response has these headers',
  async (probe) => {
    let remaining = 300;
    for (const [method, path, options, expected] of [
      ['GET', '/v1/me', {}, 200],
      ['POST', '/v1/webhooks/endpoints', { body: {} }, 400],
      ['GET', '/v1/workspaces', {}, 403],
      ['GET', '/v1/events/evt_x', {}, 404],
      ['PATCH', production, { body: { slug: 'staging' } }, 409],
    ] as const) {
      const { status, headers } = await probe.call(method, path, { as: demo.productionKey, ...options });
      assert.equal(status, expected);
      assert.equal(headers.get('ratelimit-policy'), '"default";q=300;w=60');
      const [, left, seconds] = LIMIT.exec(String(headers.get('ratelimit'))) ?? [];
      assert.equal(Number(left), --remaining);
      assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60);
    }
    const { headers } = await probe.call('GET', '/v1/me', { as: demo.owner });
    assert.equal(headers.get('ratelimit-policy'), '"default";q=120;w=60');
    assert.equal(headers.get('ratelimit'), '"default";r=119;t=60');
    for (const response of [await probe.call('GET', '/v1/me'), await probe.call('GET', '/v1/unknown')]) {
      assert.deepEqual([response.headers.get('ratelimit-policy'), response.headers.get('ratelimit')], [null, null]);
    }
  },
);

state(
  'rate.refused',
  'A 429 RATE_LIMITED response has the two rate-limit headers, and a Retry-After of at least 1 s, in whole seconds; a rejected request changes nothing',
  async (probe) => {
    const ask = () => probe.call('GET', '/v1/me', { as: demo.owner });
    const responses = await Promise.all(Array.from({ length: 150 }, ask));
    const refused = responses.filter(({ status }) => status === 429);
    assert.equal(refused.length, 30);
    const admitted = responses.filter(({ status }) => status === 200);
    const left = admitted.map(({ headers }) => Number(LIMIT.exec(String(headers.get('ratelimit')))?.[1]));
    assert.deepEqual(
      left.sort((a, b) => a - b),
      Array.from({ length: 120 }, (_, index) => index),
    );
    for (const { body, headers } of [...refused, await ask()]) {
      assert.equal(body.error.code, 'RATE_LIMITED');
      assert.equal(headers.get('ratelimit-policy'), '"default";q=120;w=60');
      const [, remaining, seconds] = LIMIT.exec(String(headers.get('ratelimit'))) ?? [];
      assert.equal(remaining, '0');
      assert.equal(headers.get('retry-after'), seconds);
      assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60);
    }
  },
);

state(
  'rate.per-credential',
  'Each credential has its own window, even if two credentials belong to the same user; requests without a credential do not count',
  async (probe) => {
    const userId = userOf(demo.viewer);
    const { credential } = (await probe.control('POST', '/credentials', { kind: 'personal_access_token', userId }))
      .body;
    await Promise.all(Array.from({ length: 130 }, () => probe.call('GET', '/v1/me', { as: demo.viewer })));
    await Promise.all(Array.from({ length: 130 }, () => probe.call('GET', '/v1/me')));
    assert.equal((await probe.call('GET', '/v1/me', { as: demo.viewer })).status, 429);
    const other = await probe.call('GET', '/v1/me', { as: credential });
    assert.deepEqual([other.status, other.headers.get('ratelimit')], [200, '"default";r=119;t=60']);
  },
);

state(
  'rate.real-clock',
  'Windows use the real clock: moving the virtual clock does not start a new window',
  async (probe) => {
    const ask = () => probe.call('GET', '/v1/me', { as: demo.owner });
    await ask();
    await probe.advance('1h');
    const { headers } = await ask();
    assert.match(String(headers.get('ratelimit')), /^"default";r=118;/);
  },
);
