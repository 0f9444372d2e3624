import assert from 'node:assert/strict';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('document', 'Webhook deliveries and events');
export const deliveriesAndEvents = statements;

const key = { as: demo.productionKey };

state(
  'deliveries.replay',
  'Replay returns { delivery: { endpointId, id } } and creates a new delivery with the same payload; the original is unchanged',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id: endpointId } = await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const id = String(deliveries[0]?.id);
    const original = await probe.delivery(id);
    const { body } = await probe.call('POST', `/v1/webhooks/deliveries/${id}/replay`, key);
    assert.deepEqual(Object.keys(body), ['delivery']);
    assert.deepEqual(Object.keys(body.delivery).sort(), ['endpointId', 'id']);
    assert.equal(body.delivery.endpointId, endpointId);
    assert.notEqual(body.delivery.id, id);
    await probe.settle();
    assert.equal(receiver.received[1]?.body, receiver.received[0]?.body);
    assert.equal(receiver.received[1]?.headers['webhook-id'], body.delivery.id);
    assert.deepEqual(await probe.delivery(id), original);
  },
);

state(
  'deliveries.filters',
  'Deliveries can be filtered by endpoint, status, exact event type and a range of createdAt, with inclusive bounds',
  async (probe) => {
    const { id } = await probe.endpoint('https://receiver.test/');
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active: false } });
    await probe.event();
    const count = async (query: Record<string, string>) =>
      (await probe.call('GET', `/v1/webhooks/deliveries?${new URLSearchParams(query)}`, key)).body.data.length;
    const [{ createdAt }] = (await probe.call('GET', '/v1/webhooks/deliveries', key)).body.data;
    const at = Date.parse(createdAt);
    const utc = (instant: number) => new Date(instant).toISOString();
    const berlin = (instant: number) => utc(instant + 7_200_000).replace('Z', '+02:00');
    for (const [query, expected] of [
      [{ endpointId: id, status: 'disabled', eventType: 'lifecycle.evaluated' }, 1],
      [{ endpointId: 'whe_other' }, 0],
      [{ status: 'pending' }, 0],
      [{ status: 'success' }, 0],
      [{ status: 'failed' }, 0],
      [{ eventType: 'lifecycle.*' }, 0],
      [{ eventType: 'lifecycle' }, 0],
      [{ createdFrom: utc(at), createdTo: utc(at) }, 1],
      [{ createdFrom: berlin(at), createdTo: berlin(at) }, 1],
      [{ createdFrom: utc(at + 1) }, 0],
      [{ createdFrom: berlin(at + 1) }, 0],
      [{ createdTo: utc(at - 1) }, 0],
      [{ createdTo: berlin(at - 1) }, 0],
      [{ createdFrom: utc(at - 1), createdTo: utc(at + 1) }, 1],
    ] as const) {
      assert.equal(await count(query), expected, JSON.stringify(query));
    }
  },
);

state(
  'deliveries.status-filter',
  'The status filter returns exactly the deliveries with the given status',
  async (probe) => {
    const receiver = await probe.receiver(500);
    const { id } = await probe.endpoint(receiver.url);
    const made: Record<string, string> = {};
    const cause = async () => String((await probe.event()).deliveries[0]?.id);
    made['failed'] = await cause();
    await probe.advance('30d');
    made['pending'] = await cause();
    await probe.settle();
    receiver.status = 204;
    made['success'] = await cause();
    await probe.settle();
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active: false } });
    made['disabled'] = await cause();
    for (const [status, delivery] of Object.entries(made)) {
      const { data } = (await probe.call('GET', `/v1/webhooks/deliveries?status=${status}`, key)).body;
      assert.deepEqual(
        data.map((row: { id: string; status: string }) => [row.id, row.status]),
        [[delivery, status]],
      );
    }
  },
);

state(
  'events.retrieve',
  'GET /v1/events/<event_id> returns the envelope exactly as it was POSTed, even for pings and replays',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
    await probe.settle();
    await probe.call('POST', `/v1/webhooks/deliveries/${deliveries[0]?.id}/replay`, key);
    await probe.settle();
    assert.equal(receiver.received.length, 3);
    for (const { headers, body } of receiver.received) {
      const { eventId } = await probe.delivery(String(headers['webhook-id']));
      const response = await probe.call('GET', `/v1/events/${eventId}`, key);
      assert.deepEqual([response.status, response.text], [200, body]);
    }
  },
);

state(
  'events.list',
  'GET /v1/events lists the events of the current workspace, and can be filtered by type, subjectType and subjectId',
  async (probe) => {
    const { id } = await probe.endpoint('https://receiver.test/');
    await probe.event();
    await probe.control('POST', '/events', {
      workspaceId: demo.production,
      type: 'webhook.endpoint.auto_disabled',
      subject: { id, type: 'webhook_endpoint', url: `/v1/webhooks/endpoints/${id}` },
    });
    await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
    const types = async (query: string, as: string = demo.productionKey) =>
      (await probe.call('GET', `/v1/events?${query}`, { as })).body.data.map(({ type }: { type: string }) => type);
    const [evaluated, disabled, ping] = ['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'];
    assert.deepEqual(await types(''), [ping, disabled, evaluated]);
    for (const type of [evaluated, disabled, ping]) assert.deepEqual(await types(`type=${type}`), [type]);
    assert.deepEqual(await types('subjectType=workspace'), [evaluated]);
    assert.deepEqual(await types('subjectType=webhook_endpoint'), [disabled]);
    assert.deepEqual(await types(`subjectId=${demo.production}`), [evaluated]);
    assert.deepEqual(await types(`type=${disabled}&subjectType=webhook_endpoint&subjectId=${id}`), [disabled]);
    assert.deepEqual(await types(`type=${evaluated}&subjectId=${id}`), []);
    assert.deepEqual(await types('', demo.stagingKey), []);
  },
);
