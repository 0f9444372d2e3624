import assert from 'node:assert/strict';
import { type Probe, signatureOf } from '../probe.ts';
import { assertKeys } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('document', 'Events');
export const events = statements;

const key = { as: demo.productionKey };

async function receive(probe: Probe) {
  const receiver = await probe.receiver();
  const endpoint = await probe.endpoint(receiver.url);
  const { event, deliveries } = await probe.event();
  await probe.settle();
  const [request] = receiver.received;
  assert.ok(request, 'nothing arrived');
  return { receiver, endpoint, event, delivery: deliveries[0], request };
}

state(
  'events.subscription',
  "The service POSTs an event once to each endpoint in the workspace that subscribes to the event's type, by exact type or prefix glob; other endpoints do not receive the event",
  async (probe) => {
    const receivers = [];
    for (const patterns of [['lifecycle.evaluated'], ['lifecycle.*'], ['*'], ['*', 'lifecycle.*'], ['webhook.*']]) {
      const receiver = await probe.receiver();
      await probe.endpoint(receiver.url, patterns);
      receivers.push(receiver);
    }
    const elsewhere = await probe.receiver();
    const body = { url: elsewhere.url, subscribedEvents: ['*'] };
    await probe.call('POST', '/v1/webhooks/endpoints', { as: demo.stagingKey, body });
    const { deliveries } = await probe.event();
    await probe.settle();
    assert.equal(deliveries.length, 4);
    assert.deepEqual(
      receivers.map(({ received }) => received.length),
      [1, 1, 1, 1, 0],
    );
    assert.equal(elsewhere.received.length, 0);
  },
);

state(
  'events.lifecycle-subject',
  'The subject of lifecycle.evaluated is the workspace; subject.url is the path that returns the workspace’s current state',
  async (probe) => {
    const { request } = await receive(probe);
    const { subject } = JSON.parse(request.body);
    assert.deepEqual(subject, { id: demo.production, type: 'workspace', url: `/v1/workspaces/${demo.production}` });
    await probe.call('PATCH', subject.url, { ...key, body: { name: 'Since renamed' } });
    const retrieved = await probe.call('GET', subject.url, key);
    assert.deepEqual([retrieved.status, retrieved.body.workspace.name], [200, 'Since renamed']);
  },
);

state(
  'events.format',
  'A delivery is a POST with Content-Type: application/json, and its body is the envelope',
  async (probe) => {
    const { request, event } = await receive(probe);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request.body), event);
    assertKeys(event, 'id', 'type', 'created', 'subject');
  },
);

state('events.ping', 'webhook.ping contains only id, type and created', async (probe) => {
  const receiver = await probe.receiver();
  const { id } = await probe.endpoint(receiver.url);
  await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
  await probe.settle();
  const ping = JSON.parse(receiver.received[0]?.body ?? '{}');
  assertKeys(ping, 'id', 'type', 'created');
  assert.equal(ping.type, 'webhook.ping');
  assert.ok(!('subject' in (await probe.delivery(String(receiver.received[0]?.headers['webhook-id'])))));
});

state(
  'events.webhook-id',
  'webhook-id identifies one delivery: retries have the same webhook-id; replays and deliveries to other endpoints have a different webhook-id',
  async (probe) => {
    const receiver = await probe.receiver(500);
    const other = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    await probe.endpoint(other.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    await probe.advance('5m');
    const mine = deliveries.find(({ endpointId }) => endpointId === id)?.id;
    const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids(), [mine, mine]);
    assert.ok(other.received[0] && other.received[0].headers['webhook-id'] !== mine);
    const replay = await probe.call('POST', `/v1/webhooks/deliveries/${mine}/replay`, key);
    await probe.settle();
    assert.equal(ids().at(-1), replay.body.delivery.id);
  },
);

state(
  'events.webhook-timestamp',
  'webhook-timestamp is the time when the signature was computed, in Unix epoch seconds',
  async (probe) => {
    const { request } = await receive(probe);
    assert.match(String(request.headers['webhook-timestamp']), /^\d{10}$/);
    assert.ok(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1000) < 60);
  },
);

state(
  'events.signature',
  'webhook-signature is "v1," followed by the HMAC-SHA256 of id.timestamp.body in base64; the key is the secret, decoded from base64url',
  async (probe) => {
    const { request, endpoint } = await receive(probe);
    assert.equal(request.headers['webhook-signature'], signatureOf(endpoint.secret, request));
  },
);

state(
  'events.rotation',
  'For 24 hours after a rotation, webhook-signature contains a signature with the old secret and a signature with the new secret; after 24 hours, the header contains only the signature with the new secret',
  async (probe) => {
    const { receiver, endpoint } = await receive(probe);
    const rotated = await probe.call('POST', `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`, key);
    const fresh = rotated.body.secret.secret;
    await probe.freeze();
    const sent = async () => {
      await probe.event();
      await probe.settle();
      const request = receiver.received.at(-1);
      assert.ok(request);
      return {
        header: request.headers['webhook-signature'],
        one: signatureOf(fresh, request),
        old: signatureOf(endpoint.secret, request),
      };
    };
    await probe.advance('23h');
    const during = await sent();
    assert.equal(during.header, `${during.one} ${during.old}`);
    await probe.advance('1h');
    const after = await sent();
    assert.equal(after.header, after.one);
  },
);

state(
  'events.retries-signed',
  'Each attempt is signed when the attempt is made: a retry has the same body, but its own timestamp and signature',
  async (probe) => {
    const receiver = await probe.receiver(500);
    const endpoint = await probe.endpoint(receiver.url);
    await probe.event();
    await probe.settle();
    await probe.advance('5m');
    assert.equal(receiver.received.length, 2);
    assert.equal(receiver.received[1]?.body, receiver.received[0]?.body);
    for (const request of receiver.received) {
      assert.equal(request.headers['webhook-signature'], signatureOf(endpoint.secret, request));
    }
  },
);

state(
  'events.attempts-logged',
  'Every attempt is logged in the delivery, with its request, response and times',
  async (probe) => {
    const receiver = await probe.receiver(500);
    await probe.endpoint(receiver.url);
    await probe.freeze();
    const { event, deliveries } = await probe.event();
    await probe.settle();
    receiver.status = 200;
    await probe.advance('5m');
    const id = String(deliveries[0]?.id);
    const attempts = await probe.attempts(id);
    assert.deepEqual(
      attempts.map(({ number, response, error, late }) => [number, response.status, response.body, error, late]),
      [
        [1, 500, 'response', 'HTTP 500', false],
        [2, 200, 'response', null, false],
      ],
    );
    assert.equal(Date.parse(attempts[1].startedAt) - Date.parse(attempts[0].endedAt), 300_000);
    for (const { request } of attempts) assert.deepEqual([request.url, request.body], [receiver.url, event]);
    assert.equal((await probe.delivery(id)).attempt, 2);
  },
);
