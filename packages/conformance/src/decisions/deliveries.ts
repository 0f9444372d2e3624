import assert from 'node:assert/strict';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Deliveries');
export const deliveries = statements;

const key = { as: demo.productionKey };

state(
  'deliveries.ping-alone',
  'A ping goes only to its endpoint, regardless of subscriptions, and is listed like any other event',
  async (probe) => {
    const addressed = await probe.receiver();
    const other = await probe.receiver();
    const { id } = await probe.endpoint(addressed.url, ['lifecycle.evaluated']);
    await probe.endpoint(other.url, ['*']);
    await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
    await probe.settle();
    assert.deepEqual([addressed.received.length, other.received.length], [1, 0]);
    const { data } = (await probe.call('GET', '/v1/events', key)).body;
    assert.deepEqual(data, [JSON.parse(addressed.received[0]?.body ?? '{}')]);
  },
);

state(
  'deliveries.replay-event',
  'A replay’s synthetic event id is not listed, but retrieving the event with this id returns the original envelope, byte for byte',
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
    assert.match(replay.eventId, /^evt_/);
    const { data } = (await probe.call('GET', '/v1/events', key)).body;
    assert.deepEqual(data, [event]);
    const again = await probe.call('POST', `/v1/webhooks/deliveries/${replay.id}/replay`, key);
    await probe.settle();
    const third = await probe.delivery(again.body.delivery.id);
    assert.equal(new Set([event.id, replay.eventId, third.eventId]).size, 3);
    assert.equal((await probe.call('GET', `/v1/events/${third.eventId}`, key)).text, receiver.received[0]?.body);
  },
);

state(
  'deliveries.nulls',
  'After an attempt without a response, all response fields except responseTimeMs are null again, but attempt still increases by 1',
  async (probe) => {
    const receiver = await probe.receiver(500);
    await probe.endpoint(receiver.url);
    const { deliveries: made } = await probe.event();
    await probe.settle();
    const first = await probe.delivery(String(made[0]?.id));
    assert.deepEqual([first.responseStatus, first.responseBody], [500, 'response']);
    receiver.respond = (response) => response.destroy();
    await probe.advance('5m');
    const detail = await probe.delivery(first.id);
    assert.deepEqual([detail.responseStatus, detail.responseBody, detail.responseHeaders], [null, null, null]);
    assert.equal(typeof detail.responseTimeMs, 'number');
    assert.deepEqual([detail.error, detail.attempt], ['Connection reset', 2]);
    assert.deepEqual(detail.requestBody, first.requestBody);
    assert.notEqual(detail.requestHeaders, null);
  },
);

state(
  'deliveries.inactive-when-due',
  'A pending delivery becomes disabled if its endpoint is inactive or deleted when the next attempt is due',
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

state(
  'deliveries.current-url',
  'Each attempt goes to the endpoint’s current URL, and the log records that URL',
  async (probe) => {
    const before = await probe.receiver(500);
    const after = await probe.receiver();
    const { id } = await probe.endpoint(before.url);
    const { deliveries: made } = await probe.event();
    await probe.settle();
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { url: after.url } });
    await probe.advance('5m');
    assert.deepEqual([before.received.length, after.received.length], [1, 1]);
    const attempts = await probe.attempts(String(made[0]?.id));
    assert.deepEqual(
      attempts.map(({ request }) => request.url),
      [before.url, after.url],
    );
  },
);

state(
  'deliveries.failures-reset',
  'A success resets the count of consecutive failures, and reactivating the endpoint with PATCH also resets the count',
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
    for (const active of [false, true]) {
      await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active } });
    }
    await fail(4);
    assert.equal(await active(), true);
    await fail(1);
    assert.equal(await active(), false);
  },
);

state(
  'deliveries.failures-of-any-kind',
  'Failed pings and replays count as consecutive failures, like any other failed delivery',
  async (probe) => {
    const { url } = await probe.receiver(500);
    const { id } = await probe.endpoint(url);
    const path = `/v1/webhooks/endpoints/${id}`;
    const isActive = async () => (await probe.call('GET', path, key)).body.endpoint.active;
    const { deliveries: made } = await probe.event();
    await probe.call('POST', `${path}/send-test-event`, key);
    await probe.call('POST', `/v1/webhooks/deliveries/${made[0]?.id}/replay`, key);
    await probe.call('POST', `${path}/send-test-event`, key);
    await probe.advance('30d');
    assert.equal(await isActive(), true);
    await probe.call('POST', `/v1/webhooks/deliveries/${made[0]?.id}/replay`, key);
    await probe.advance('30d');
    assert.equal(await isActive(), false);
  },
);
