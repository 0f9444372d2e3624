import assert from 'node:assert/strict';
import { demo, type Probe, signatureOf } from '../probe.ts';
import { section } from '../statement.ts';

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
  'The service POSTs to every active endpoint of the workspace that subscribes, by exact type or prefix glob',
  async (probe) => {
    const receivers = [];
    for (const pattern of ['lifecycle.evaluated', 'lifecycle.*', '*', 'webhook.*']) {
      const receiver = await probe.receiver();
      await probe.endpoint(receiver.url, [pattern]);
      receivers.push(receiver);
    }
    await probe.event();
    await probe.settle();
    assert.deepEqual(
      receivers.map(({ received }) => received.length),
      [1, 1, 1, 0],
    );
  },
);

state(
  'events.lifecycle-subject',
  'The subject of lifecycle.evaluated is the workspace, with the path of its retrieve endpoint',
  async (probe) => {
    const { request } = await receive(probe);
    const { subject } = JSON.parse(request.body);
    assert.deepEqual(subject, { id: demo.production, type: 'workspace', url: `/v1/workspaces/${demo.production}` });
    assert.equal((await probe.call('GET', subject.url, key)).status, 200);
  },
);

state(
  'events.format',
  'A delivery is a POST with Content-Type: application/json whose body is the envelope',
  async (probe) => {
    const { request, event } = await receive(probe);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(request.body), event);
  },
);

state('events.webhook-id', 'webhook-id is the delivery id; retries reuse it', async (probe) => {
  const receiver = await probe.receiver(500);
  await probe.endpoint(receiver.url);
  const { deliveries } = await probe.event();
  await probe.settle();
  await probe.advance('5m');
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    [deliveries[0]?.id, deliveries[0]?.id],
  );
});

state(
  'events.webhook-timestamp',
  'webhook-timestamp is Unix epoch seconds when the signature was computed',
  async (probe) => {
    const { request } = await receive(probe);
    assert.match(String(request.headers['webhook-timestamp']), /^\d{10}$/);
    assert.ok(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1000) < 60);
  },
);

state(
  'events.signature',
  'webhook-signature is v1,<base64 HMAC-SHA256> over id.timestamp.body, keyed by the base64url secret',
  async (probe) => {
    const { request, endpoint } = await receive(probe);
    assert.equal(request.headers['webhook-signature'], signatureOf(endpoint.secret, request));
  },
);

state(
  'events.rotation',
  'For 24 hours after a rotation the header carries both signatures, then the new one alone',
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

state('events.no-redirect', 'A response that is not 2xx is a failed attempt', async (probe) => {
  const receiver = await probe.receiver(307);
  await probe.endpoint(receiver.url);
  const { deliveries } = await probe.event();
  await probe.settle();
  assert.equal((await probe.delivery(String(deliveries[0]?.id))).error, 'HTTP 307');
  assert.equal(receiver.received.length, 1);
});
