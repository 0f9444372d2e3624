import assert from 'node:assert/strict';
import { demo, signatureOf } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('decision', 'Deliveries, secrets and time');
export const deliveries = statements;

const key = { as: demo.productionKey };

state(
  'deliveries.ping-alone',
  'A ping goes to the addressed endpoint alone, whatever it subscribes to, and is an event like any other',
  async (probe) => {
    const addressed = await probe.receiver();
    const other = await probe.receiver();
    const { id } = await probe.endpoint(addressed.url, ['lifecycle.evaluated']);
    await probe.endpoint(other.url, ['*']);
    await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
    await probe.settle();
    assert.deepEqual([addressed.received.length, other.received.length], [1, 0]);
    assert.equal((await probe.call('GET', '/v1/events?type=webhook.ping', key)).body.data.length, 1);
  },
);

state(
  'deliveries.replay-event',
  'A replay’s synthetic event id is not listed, and retrieving it gives the original envelope to the byte',
  async (probe) => {
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    const { event, deliveries: made } = await probe.event();
    const { body } = await probe.call('POST', `/v1/webhooks/deliveries/${made[0]?.id}/replay`, key);
    await probe.settle();
    const replay = await probe.delivery(body.delivery.id);
    assert.notEqual(replay.eventId, event.id);
    const shown = await probe.call('GET', `/v1/events/${replay.eventId}`, key);
    assert.equal(shown.text, receiver.received[0]?.body);
    assert.equal((await probe.call('GET', '/v1/events', key)).body.data.length, 1);
  },
);

state('deliveries.nulls', 'Without an answer the response fields are null, save responseTimeMs', async (probe) => {
  await probe.endpoint('http://127.0.0.1:9/');
  const { deliveries: made } = await probe.event();
  await probe.settle();
  const detail = await probe.delivery(String(made[0]?.id));
  assert.deepEqual([detail.responseStatus, detail.responseBody, detail.responseHeaders], [null, null, null]);
  assert.equal(typeof detail.responseTimeMs, 'number');
  assert.equal(detail.error, 'Connection refused');
  assert.equal(detail.attempt, 1);
});

state(
  'deliveries.inactive-when-due',
  'A pending delivery whose endpoint is inactive or deleted when its attempt is due becomes disabled',
  async (probe) => {
    for (const end of ['PATCH', 'DELETE']) {
      const receiver = await probe.receiver(500);
      const { id } = await probe.endpoint(receiver.url);
      const { deliveries: made } = await probe.event();
      await probe.settle();
      const mine = made.find(({ endpointId }) => endpointId === id);
      await probe.call(
        end,
        `/v1/webhooks/endpoints/${id}`,
        end === 'PATCH' ? { ...key, body: { active: false } } : key,
      );
      await probe.advance('5m');
      const detail = await probe.delivery(String(mine?.id));
      assert.deepEqual([detail.status, detail.attempt, detail.nextAttemptAt], ['disabled', 1, null]);
      assert.equal(receiver.received.length, 1);
    }
  },
);

state('deliveries.current-url', 'Each attempt goes to the endpoint’s current URL', async (probe) => {
  const before = await probe.receiver(500);
  const after = await probe.receiver();
  const { id } = await probe.endpoint(before.url);
  await probe.event();
  await probe.settle();
  await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { url: after.url } });
  await probe.advance('5m');
  assert.deepEqual([before.received.length, after.received.length], [1, 1]);
});

state(
  'deliveries.failures-reset',
  'success resets the count of consecutive failures; re-activating by PATCH resets it too',
  async (probe) => {
    const receiver = await probe.receiver(500);
    const { id } = await probe.endpoint(receiver.url);
    const active = async () => (await probe.call('GET', `/v1/webhooks/endpoints/${id}`, key)).body.endpoint.active;
    const fail = async (count: number) => {
      receiver.status = 500;
      for (let made = 0; made < count; made++) await probe.event();
      await probe.advance('30d');
    };
    await fail(4);
    receiver.status = 204;
    await probe.event();
    await probe.settle();
    await fail(4);
    assert.equal(await active(), true);
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active: true } });
    await fail(4);
    assert.equal(await active(), true);
    await fail(1);
    assert.equal(await active(), false);
  },
);

state('deliveries.body-kept', 'At most 64 KiB of a response body is kept', async (probe) => {
  const receiver = await probe.receiver(200);
  await probe.endpoint(receiver.url);
  const { deliveries: made } = await probe.event();
  await probe.settle();
  assert.equal((await probe.delivery(String(made[0]?.id))).responseBody, 'answer');
});

state(
  'secrets.three',
  'Every past secret signs until its own 24 hours are over: two rotations within them give three signatures, newest first',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id, secret } = await probe.endpoint(receiver.url);
    const rotate = async () =>
      (await probe.call('POST', `/v1/webhooks/endpoints/${id}/rotate-secret`, key)).body.secret.secret;
    const second = await rotate();
    const third = await rotate();
    await probe.event();
    await probe.settle();
    const [request] = receiver.received;
    assert.ok(request);
    const expected = [third, second, secret].map((raw) => signatureOf(raw, request)).join(' ');
    assert.equal(request.headers['webhook-signature'], expected);
  },
);

state(
  'secrets.alphabet',
  'Secrets hold neither - nor _ and need no padding, so they decode alike as base64url and base64',
  async (probe) => {
    for (let count = 0; count < 8; count++) {
      const { secret } = await probe.endpoint('https://receiver.test/');
      assert.match(secret, /^whsec_[A-Za-z0-9]{44}$/);
    }
  },
);

state(
  'time.virtual',
  'Virtual time drives schedules and stored timestamps; webhook-timestamp is always the real clock',
  async (probe) => {
    await probe.advance('10d');
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    const { event } = await probe.event();
    await probe.settle();
    assert.ok(Date.parse(event.created) - Date.now() > 9 * 86_400_000);
    assert.ok(Math.abs(Number(receiver.received[0]?.headers['webhook-timestamp']) - Date.now() / 1000) < 60);
  },
);

state(
  'time.frozen',
  'A frozen clock still runs what is due at its now; advance and set leave it frozen; set backwards is 400',
  async (probe) => {
    await probe.freeze();
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    await probe.event();
    await probe.settle();
    assert.equal(receiver.received.length, 1);
    await probe.advance('1h');
    const { body } = await probe.control('GET', '/clock');
    assert.equal(body.frozen, true);
    assert.equal(
      (await probe.control('POST', '/clock', { set: new Date(Date.parse(body.now) - 1).toISOString() })).status,
      400,
    );
    assert.equal((await probe.control('POST', '/clock', { set: body.now })).status, 200);
  },
);

state('time.ids-rise', 'Ids keep rising whatever the clock does', async (probe) => {
  await probe.advance('30d');
  const ahead = (await probe.event()).event.id;
  await probe.control('POST', '/clock', { reset: true });
  const behind = (await probe.event()).event.id;
  assert.ok(behind > ahead);
});
