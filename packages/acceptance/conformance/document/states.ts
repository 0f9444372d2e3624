import assert from 'node:assert/strict';
import { demo, type Probe } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('document', 'States and transitions');
export const states = statements;

const key = { as: demo.productionKey };
const DELAYS = ['5m', '30m', '2h', '5h', '10h', '12h', '12h', '12h', '12h', '12h'];

async function delivered(probe: Probe, status: number) {
  const receiver = await probe.receiver(status);
  const endpoint = await probe.endpoint(receiver.url);
  await probe.freeze();
  const { deliveries } = await probe.event();
  await probe.settle();
  const id = String(deliveries[0]?.id);
  return { receiver, endpoint, id, detail: await probe.delivery(id) };
}

state(
  'states.new-pending',
  'A matching event to an active endpoint makes a pending row with attempt 0',
  async (probe) => {
    await probe.endpoint('http://127.0.0.1:9/');
    const { deliveries } = await probe.event();
    assert.equal(deliveries.length, 1);
    assert.equal(deliveries[0]?.status, 'pending');
  },
);

state(
  'states.new-disabled',
  'A matching event to a disabled endpoint makes a disabled row and no HTTP request',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active: false } });
    const { deliveries } = await probe.event();
    await probe.settle();
    assert.equal(deliveries[0]?.status, 'disabled');
    assert.equal(receiver.received.length, 0);
    const list = await probe.call('GET', '/v1/webhooks/deliveries', key);
    assert.equal(list.body.data[0].status, 'disabled');
    assert.equal(list.body.data[0].attempt, 0);
  },
);

for (const status of [200, 201, 204, 299]) {
  state(
    `states.success-${status}`,
    `An attempt that returns ${status} makes the delivery success and sets deliveredAt`,
    async (probe) => {
      const { detail } = await delivered(probe, status);
      assert.equal(detail.status, 'success');
      assert.equal(detail.attempt, 1);
      assert.equal(detail.responseStatus, status);
      assert.notEqual(detail.deliveredAt, null);
      assert.equal(detail.error, null);
    },
  );
}

for (const status of [300, 302, 400, 404, 410, 429, 500, 503]) {
  state(
    `states.failed-attempt-${status}`,
    `An attempt that returns ${status} leaves the delivery pending, due again by the schedule`,
    async (probe) => {
      const { detail } = await delivered(probe, status);
      assert.equal(detail.status, 'pending');
      assert.equal(detail.attempt, 1);
      assert.equal(detail.error, `HTTP ${status}`);
      assert.equal(detail.deliveredAt, null);
      assert.equal(Date.parse(detail.nextAttemptAt) - Date.parse(detail.createdAt), 300_000);
    },
  );
}

state('states.schedule', 'Retries follow after 5 min, 30 min, 2 h, 5 h, 10 h and five times 12 h', async (probe) => {
  const { receiver, id } = await delivered(probe, 500);
  for (const [index, delay] of DELAYS.entries()) {
    const before = await probe.delivery(id);
    assert.equal(before.attempt, index + 1);
    assert.equal((await probe.advance(delay)).attempts, 1);
  }
  assert.equal(receiver.received.length, 11);
});

state(
  'states.eleven-attempts',
  'After 11 attempts the delivery is failed and nothing more is scheduled',
  async (probe) => {
    const { receiver, id } = await delivered(probe, 500);
    assert.equal((await probe.advance('30d')).attempts, 10);
    const detail = await probe.delivery(id);
    assert.equal(detail.status, 'failed');
    assert.equal(detail.attempt, 11);
    assert.equal(detail.nextAttemptAt, null);
    assert.equal(receiver.received.length, 11);
  },
);

state('states.retry-succeeds', 'A retry that returns 2xx makes the delivery success with error null', async (probe) => {
  const { receiver, id } = await delivered(probe, 500);
  receiver.status = 204;
  await probe.advance('5m');
  const detail = await probe.delivery(id);
  assert.deepEqual([detail.status, detail.attempt, detail.error], ['success', 2, null]);
});

state('states.pause', 'PATCH active false stops new deliveries; endpoint and history are kept', async (probe) => {
  const { endpoint, id } = await delivered(probe, 204);
  await probe.call('PATCH', `/v1/webhooks/endpoints/${endpoint.id}`, { ...key, body: { active: false } });
  const shown = await probe.call('GET', `/v1/webhooks/endpoints/${endpoint.id}`, key);
  assert.equal(shown.body.endpoint.active, false);
  assert.equal((await probe.delivery(id)).status, 'success');
});

state(
  'states.auto-disable',
  '5 consecutive failed deliveries disable the endpoint and emit webhook.endpoint.auto_disabled',
  async (probe) => {
    const broken = await probe.receiver(500);
    const endpoint = await probe.endpoint(broken.url);
    for (let count = 0; count < 4; count++) await probe.event();
    await probe.advance('30d');
    const path = `/v1/webhooks/endpoints/${endpoint.id}`;
    assert.equal((await probe.call('GET', path, key)).body.endpoint.active, true);
    await probe.event();
    await probe.advance('30d');
    assert.equal((await probe.call('GET', path, key)).body.endpoint.active, false);
    const events = await probe.call('GET', '/v1/events?type=webhook.endpoint.auto_disabled', key);
    assert.deepEqual(
      events.body.data.map(({ subject }: { subject: unknown }) => subject),
      [{ id: endpoint.id, type: 'webhook_endpoint', url: path }],
    );
  },
);

state('states.re-enable', 'A disabled endpoint can be made active again', async (probe) => {
  const receiver = await probe.receiver();
  const { id } = await probe.endpoint(receiver.url);
  const path = `/v1/webhooks/endpoints/${id}`;
  await probe.call('PATCH', path, { ...key, body: { active: false } });
  const { body } = await probe.call('PATCH', path, { ...key, body: { active: true } });
  assert.equal(body.endpoint.active, true);
  await probe.event();
  await probe.settle();
  assert.equal(receiver.received.length, 1);
});
