import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { section } from '../statement.ts';
import { demo, userOf } from '../tenants.ts';

const { state, statements } = section('document', 'Webhook endpoint activity');
export const endpointActivity = statements;

const key = { as: demo.productionKey };
const one = (id: string) => `/v1/webhooks/endpoints/${id}`;
const setActive = (probe: Probe, id: string, active: boolean) =>
  probe.call('PATCH', one(id), { ...key, body: { active } });

/** Creates `count` events, and advances the clock until their deliveries to a failing receiver have failed for good. */
async function failEvents(probe: Probe, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await probe.event();
  await probe.advance('30d');
}

state(
  'activity.pause',
  'PATCH with active false stops new deliveries; the endpoint stays listed and its history is kept',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const past = String((await probe.event()).deliveries[0]?.id);
    await probe.settle();
    assert.equal((await setActive(probe, id, false)).body.endpoint.active, false);
    await probe.event();
    await probe.settle();
    assert.equal(receiver.received.length, 1);
    const list = await probe.call('GET', '/v1/webhooks/endpoints', key);
    assert.deepEqual(
      list.body.data.map((endpoint: { id: string; active: boolean }) => [endpoint.id, endpoint.active]),
      [[id, false]],
    );
    assert.equal((await probe.delivery(past)).status, 'success');
  },
);

state(
  'activity.auto-disable',
  '5 consecutive failed deliveries, but not 4, disable the endpoint and emit webhook.endpoint.auto_disabled',
  async (probe) => {
    const broken = await probe.receiver(500);
    const other = await probe.receiver();
    const { id } = await probe.endpoint(broken.url, ['*']);
    await probe.endpoint(other.url, ['webhook.*']);
    const isActive = async () => (await probe.call('GET', one(id), key)).body.endpoint.active;
    await failEvents(probe, 4);
    assert.equal(await isActive(), true);
    await failEvents(probe, 1);
    assert.equal(await isActive(), false);
    const { data } = (await probe.call('GET', '/v1/events?type=webhook.endpoint.auto_disabled', key)).body;
    assert.deepEqual(
      data.map(({ subject }: { subject: unknown }) => subject),
      [{ id, type: 'webhook_endpoint', url: one(id) }],
    );
    assert.equal((await probe.call('GET', data[0].subject.url, key)).body.endpoint.id, id);
    assert.deepEqual(
      other.received.map(({ body }) => JSON.parse(body)),
      data,
    );
  },
);

state(
  'activity.notification',
  'When an endpoint is disabled automatically, every workspace user with the permission workspace:developer:read is notified once',
  async (probe) => {
    // Adam (`demo.admin`) has no access to Staging, and Gabe (`demo.stranger`) has no access to Acme.
    for (const [workspace, as, users] of [
      [demo.production, demo.productionKey, [demo.owner, demo.admin, demo.viewer]],
      [demo.staging, demo.stagingKey, [demo.owner, demo.viewer]],
    ] as const) {
      const { url } = await probe.receiver(500);
      const created = await probe.call('POST', '/v1/webhooks/endpoints', {
        as,
        body: { url, subscribedEvents: ['lifecycle.*'] },
      });
      const events = Array(5).fill({ workspaceId: workspace, type: 'lifecycle.evaluated' });
      await probe.control('POST', '/events', { events });
      await probe.advance('30d');
      const { body } = await probe.control('GET', '/notifications');
      const told = body.data.filter(
        ({ endpointId }: { endpointId: string }) => endpointId === created.body.endpoint.id,
      ) as { userId: string; workspaceId: string; type: string }[];
      const expected = users.map(userOf);
      assert.deepEqual(told.map(({ userId }) => userId).sort(), expected.sort());
      for (const { workspaceId, type } of told) {
        assert.deepEqual([workspaceId, type], [workspace, 'webhook.endpoint.auto_disabled']);
      }
    }
  },
);

state(
  'activity.re-enable',
  'A paused or auto-disabled endpoint can be made active again, and then receives deliveries',
  async (probe) => {
    const receiver = await probe.receiver(500);
    const { id } = await probe.endpoint(receiver.url);
    for (const disable of [() => setActive(probe, id, false), () => failEvents(probe, 5)]) {
      await disable();
      assert.equal((await probe.call('GET', one(id), key)).body.endpoint.active, false);
      assert.equal((await setActive(probe, id, true)).body.endpoint.active, true);
      const before = receiver.received.length;
      await probe.event();
      await probe.settle();
      assert.equal(receiver.received.length, before + 1);
    }
  },
);
