import assert from 'node:assert/strict';
import { anything, assertShape, identifier, integer, nothing, oneOf, text, texts, timestamp } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('document', 'Webhook delivery');
export const deliveryFields = statements;

const key = { as: demo.productionKey };

/** The fields of a delivery that do not depend on its state. */
const base = {
  id: identifier('whd_'),
  workspaceId: oneOf(demo.production),
  endpointId: identifier('whe_'),
  eventId: identifier('evt_'),
  eventType: oneOf('lifecycle.evaluated'),
  createdAt: timestamp,
};
const unattempted = {
  ...base,
  attempt: oneOf(0),
  deliveredAt: nothing,
  error: nothing,
  responseStatus: nothing,
  responseTimeMs: nothing,
};
const emptySnapshot = {
  requestBody: nothing,
  requestHeaders: nothing,
  responseBody: nothing,
  responseHeaders: nothing,
  subject: anything,
};

state(
  'delivery.fields',
  'A delivery in a list has the documented fields; retrieving a single delivery adds the snapshot fields',
  async (probe) => {
    const receiver = await probe.receiver(200);
    await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const succeeded = {
      ...base,
      status: oneOf('success'),
      attempt: oneOf(1),
      deliveredAt: timestamp,
      error: nothing,
      responseStatus: oneOf(200),
      responseTimeMs: integer,
    };
    const list = await probe.call('GET', '/v1/webhooks/deliveries', key);
    assertShape(list.body.data[0], succeeded);
    const detail = await probe.delivery(String(deliveries[0]?.id));
    assertShape(detail, {
      ...succeeded,
      nextAttemptAt: nothing,
      requestBody: anything,
      requestHeaders: texts,
      responseBody: text,
      responseHeaders: texts,
      subject: anything,
    });
    assert.deepEqual(detail.subject, { id: demo.production, type: 'workspace' });
  },
);

state(
  'delivery.before-first-attempt',
  'Until the first attempt completes, a delivery is pending with attempt 0, and its error and response fields are null',
  async (probe) => {
    const receiver = await probe.hold();
    await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await receiver.arrived(1);
    const detail = await probe.delivery(String(deliveries[0]?.id));
    assertShape(detail, { ...unattempted, ...emptySnapshot, status: oneOf('pending'), nextAttemptAt: timestamp });
    receiver.release(204);
    await probe.settle();
    assert.equal((await probe.delivery(detail.id)).attempt, 1);
  },
);

state(
  'delivery.disabled',
  'An event for an inactive endpoint creates a disabled delivery: attempt is 0, no attempt is scheduled, and every snapshot field is null',
  async (probe) => {
    const { id: endpointId } = await probe.endpoint('https://receiver.test/');
    await probe.call('PATCH', `/v1/webhooks/endpoints/${endpointId}`, { ...key, body: { active: false } });
    const { deliveries } = await probe.event();
    const detail = await probe.delivery(String(deliveries[0]?.id));
    assertShape(detail, { ...unattempted, ...emptySnapshot, status: oneOf('disabled'), nextAttemptAt: nothing });
  },
);

state(
  'delivery.snapshot',
  'The snapshot fields contain the bodies and headers that the most recent attempt sent and received',
  async (probe) => {
    const receiver = await probe.receiver();
    receiver.respond = (response) => response.writeHead(500, { 'X-Which': 'first' }).end('first response');
    await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    receiver.respond = (response) => response.writeHead(500, { 'X-Which': 'second' }).end('second response');
    await probe.advance('5m');
    const detail = await probe.delivery(String(deliveries[0]?.id));
    const [first, second] = receiver.received;
    assert.ok(first && second);
    assert.equal(JSON.stringify(detail.requestBody), second.body);
    for (const [name, value] of Object.entries(detail.requestHeaders)) {
      assert.equal(second.headers[name.toLowerCase()], value, name);
    }
    for (const name of ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      assert.ok(
        Object.keys(detail.requestHeaders).some((sent) => sent.toLowerCase() === name),
        name,
      );
    }
    assert.deepEqual([detail.responseBody, detail.responseHeaders['x-which']], ['second response', 'second']);
  },
);

state(
  'delivery.delivered-at',
  'deliveredAt is the time of the first success, and null while the delivery is pending or failed',
  async (probe) => {
    const receiver = await probe.receiver(500);
    await probe.endpoint(receiver.url);
    await probe.freeze();
    const retried = String((await probe.event()).deliveries[0]?.id);
    await probe.settle();
    assert.equal((await probe.delivery(retried)).deliveredAt, null);
    receiver.status = 204;
    await probe.advance('5m');
    const { now } = (await probe.control('GET', '/clock')).body;
    assert.equal((await probe.delivery(retried)).deliveredAt, now);
    receiver.status = 500;
    const failed = String((await probe.event()).deliveries[0]?.id);
    await probe.advance('30d');
    const detail = await probe.delivery(failed);
    assert.deepEqual([detail.status, detail.deliveredAt], ['failed', null]);
  },
);

state(
  'delivery.response-time',
  'responseTimeMs is the round-trip time of the last attempt in milliseconds',
  async (probe) => {
    const receiver = await probe.receiver();
    receiver.respond = (response) => void setTimeout(() => response.writeHead(204).end(), 50);
    await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const { responseTimeMs } = await probe.delivery(String(deliveries[0]?.id));
    assert.ok(responseTimeMs >= 45 && responseTimeMs < 10_000, String(responseTimeMs));
  },
);
