import assert from 'node:assert/strict';
import { type Probe, signatureOf } from '../probe.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Secrets and time');
export const secretsAndTime = statements;

const key = { as: demo.productionKey };
const DAY_MS = 86_400_000;
/**
 * Reads the clock without its offset from real time. Two servers of a fleet may report different offsets while the
 * clock is frozen, because each server has its own real-time clock.
 */
async function clock(probe: Probe): Promise<{ now: string; frozen: boolean }> {
  const { now, frozen } = (await probe.control('GET', '/clock')).body;
  return { now, frozen };
}

state(
  'secrets.three',
  'A replaced secret still signs deliveries for 24 hours: after two rotations within that time, there are three signatures, newest secret first',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id, secret: first } = await probe.endpoint(receiver.url);
    const rotate = async () =>
      (await probe.call('POST', `/v1/webhooks/endpoints/${id}/rotate-secret`, key)).body.secret.secret;
    const assertSigned = async (...secrets: string[]) => {
      await probe.event();
      await probe.settle();
      const request = receiver.received.at(-1);
      assert.ok(request);
      const expected = secrets.map((raw) => signatureOf(raw, request)).join(' ');
      assert.equal(request.headers['webhook-signature'], expected);
    };
    await probe.freeze();
    await assertSigned(first);
    const second = await rotate();
    await probe.advance('12h');
    const third = await rotate();
    await assertSigned(third, second, first);
    const { now } = await clock(probe);
    const set = (ms: number) => probe.control('POST', '/clock', { set: new Date(Date.parse(now) + ms).toISOString() });
    await set(DAY_MS / 2 - 1);
    await assertSigned(third, second, first);
    await set(DAY_MS / 2);
    await assertSigned(third, second);
    await set(DAY_MS - 1);
    await assertSigned(third, second);
    await set(DAY_MS);
    await assertSigned(third);
  },
);

state(
  'secrets.alphabet',
  'A secret has 32 bytes in 43 characters of base64url, with at least one - or _, so that the secret is not valid base64',
  async (probe) => {
    const seen = new Set<string>();
    for (let count = 0; count < 8; count++) {
      const { secret } = await probe.endpoint('https://receiver.test/');
      assert.match(secret, /^whsec_(?=.*[-_])[A-Za-z0-9_-]{43}$/);
      const text = secret.slice('whsec_'.length);
      assert.equal(Buffer.from(text, 'base64url').length, 32);
      seen.add(secret);
    }
    assert.equal(seen.size, 8);
  },
  'key',
);

state(
  'secrets.pinned',
  'A seed can set an endpoint’s signing secret, and the endpoint’s deliveries are signed with this secret',
  async (probe) => {
    const receiver = await probe.receiver();
    const secret = `whsec_${'pinned-secret_'.repeat(3)}`;
    const workspace = {
      id: 'wsp_SEEDED',
      slug: 'main',
      name: 'Main',
      endpoints: [{ url: receiver.url, subscribedEvents: ['*'], secret }],
    };
    const organization = { slug: 'seeded', name: 'Seeded', workspaces: [workspace] };
    const reset = await probe.control('POST', '/reset', { seed: { organizations: [organization] } });
    assert.equal(reset.status, 200, reset.text);
    await probe.control('POST', '/events', { workspaceId: 'wsp_SEEDED', type: 'lifecycle.evaluated' });
    await probe.settle();
    const [request] = receiver.received;
    assert.ok(request);
    assert.equal(request.headers['webhook-signature'], signatureOf(secret, request));
  },
);

state(
  'time.virtual',
  'Stored timestamps use virtual time; webhook-timestamp and the signature always use the real clock',
  async (probe) => {
    await probe.advance('10d');
    const receiver = await probe.receiver();
    const { id, secret } = await probe.endpoint(receiver.url);
    const { event, deliveries } = await probe.event();
    await probe.settle();
    const { endpoint } = (await probe.call('GET', `/v1/webhooks/endpoints/${id}`, key)).body;
    const { createdAt, deliveredAt } = await probe.delivery(String(deliveries[0]?.id));
    for (const at of [event.created, endpoint.createdAt, createdAt, deliveredAt]) {
      assert.ok(Math.abs(Date.parse(at) - Date.now() - 10 * DAY_MS) < 60_000, at);
    }
    const [request] = receiver.received;
    assert.ok(request);
    assert.ok(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1000) < 60);
    assert.equal(request.headers['webhook-signature'], signatureOf(secret, request));
  },
);

state(
  'time.frozen',
  'While the clock is frozen, work that is due now still runs; `advance` and `set` move the clock, which then stays frozen',
  async (probe) => {
    await probe.freeze();
    const { now: frozenAt } = await clock(probe);
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    const { event } = await probe.event();
    await probe.settle();
    assert.equal(receiver.received.length, 1);
    assert.equal(event.created, frozenAt);
    const later = (ms: number) => new Date(Date.parse(frozenAt) + ms).toISOString();
    await probe.advance('1h');
    assert.deepEqual(await clock(probe), { now: later(3_600_000), frozen: true });
    await probe.control('POST', '/clock', { set: later(7_200_000) });
    assert.deepEqual(await clock(probe), { now: later(7_200_000), frozen: true });
  },
);

state(
  'time.never-backwards',
  'The clock cannot be set to an earlier time: the API returns 400 and changes nothing',
  async (probe) => {
    await probe.freeze();
    const before = await clock(probe);
    const set = (ms: number) =>
      probe.control('POST', '/clock', { set: new Date(Date.parse(before.now) + ms).toISOString() });
    const { status, body } = await set(-1);
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION']);
    assert.deepEqual(await clock(probe), before);
    assert.equal((await set(0)).status, 200);
  },
);

state('time.ids-rise', 'Ids always increase, even if the clock moves back', async (probe) => {
  await probe.advance('30d');
  const ahead = (await probe.event()).event.id;
  await probe.control('POST', '/clock', { reset: true });
  const behind = (await probe.event()).event.id;
  assert.ok(behind > ahead);
  const { data } = (await probe.call('GET', '/v1/events', key)).body;
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [behind, ahead],
  );
});
