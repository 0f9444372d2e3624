import { createHmac } from 'node:crypto';
import { createClient } from '@svc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlError, type MockService, startMockService, WaitError } from '../../../src/testing/index.ts';

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service.close());

/** A tenant with a receiver that gets every event. */
async function subscribed() {
  const receiver = await service.receiver();
  const tenant = await service.workspace();
  const svc = createClient({ apiKey: tenant.apiKey, baseUrl: service.url });
  const { endpoint, secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  const trigger = () => service.trigger('lifecycle.evaluated', { workspaceId: tenant.workspaceId });
  return { ...tenant, receiver, svc, endpointId: endpoint.id, secret: secret.secret, trigger };
}

describe('service.workspace()', () => {
  test("creates a workspace with these options, its API key and its Owner's token", async () => {
    const tenant = await service.workspace({ name: 'Mine', timezone: 'Europe/Berlin', weekStartsOn: 0 });
    const byKey = createClient({ apiKey: tenant.apiKey, baseUrl: service.url });
    const byToken = createClient({ accessToken: tenant.accessToken, baseUrl: service.url });
    expect(await byKey.workspaces.retrieve(tenant.workspaceId)).toMatchObject({
      id: tenant.workspaceId,
      organizationId: tenant.organizationId,
      name: 'Mine',
      timezone: 'Europe/Berlin',
      weekStartsOn: 0,
    });
    expect(await byToken.me.retrieve()).toMatchObject({ user: { id: tenant.userId } });
    expect((await byToken.workspaces.list()).data.map(({ id }) => id)).toEqual([tenant.workspaceId]);
  });

  test("does not show one tenant's rows to another", async () => {
    const one = await subscribed();
    const other = await subscribed();
    await one.trigger();
    await service.waitForIdle();
    expect(one.receiver.requests).toHaveLength(1);
    expect(other.receiver.requests).toEqual([]);
    expect((await other.svc.events.list()).data).toEqual([]);
  });

  test('rejects what the control API rejects', async () => {
    const error = await service.workspace({ timezone: 'Mars/Olympus' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ControlError);
    expect(error).toMatchObject({ code: 'VALIDATION', status: 400 });
  });
});

describe('service.requests()', () => {
  test('lists the requests to the API, newest first, also more than fit on a page', async () => {
    const { svc, workspaceId } = await subscribed();
    for (let call = 0; call < 101; call++) await svc.me.retrieve();
    const requests = await service.requests({ workspaceId });
    expect(requests.map(({ operation }) => operation)).toEqual([
      ...Array(101).fill('retrieveIdentity'),
      'createWebhookEndpoint',
    ]);
    expect(requests.flatMap(({ ignored }) => ignored)).toEqual([]);
  });

  test('with ignored, lists those with unknown fields or parameters', async () => {
    const { apiKey, workspaceId } = await subscribed();
    // The client's types refuse such a parameter.
    await fetch(`${service.url}/v1/events?createdAfter=1`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await service.requests({ workspaceId, ignored: true })).toMatchObject([
      { operation: 'listEvents', ignored: ['query.createdAfter'] },
    ]);
    expect(await service.requests({ workspaceId, ignored: false })).toMatchObject([
      { operation: 'createWebhookEndpoint', ignored: [] },
    ]);
  });
});

describe('service.trigger()', () => {
  test('requires the endpoint that webhook.endpoint.auto_disabled is about', async () => {
    const { workspaceId, endpointId, receiver } = await subscribed();
    const type = 'webhook.endpoint.auto_disabled';
    const subject = { id: endpointId, type: 'webhook_endpoint', url: `/v1/webhooks/endpoints/${endpointId}` } as const;
    const { event } = await service.trigger(type, { workspaceId, subject });
    expect(event.subject).toEqual(subject);
    // @ts-expect-error The types also refuse it.
    const missing = service.trigger(type, { workspaceId });
    await expect(missing).rejects.toMatchObject({ code: 'VALIDATION', status: 400 });
    // @ts-expect-error A workspace is not an endpoint.
    const wrong = service.trigger(type, { workspaceId, subject: { ...subject, type: 'workspace' } });
    await expect(wrong).rejects.toMatchObject({ code: 'VALIDATION', status: 400 });
    const unknownType: string = type;
    await expect(service.trigger(unknownType, { workspaceId })).rejects.toThrow('"subject" is missing');
    await service.waitForIdle();
    expect(receiver.requests).toHaveLength(1);
  });

  test('delivers a signed event, whose raw body the receiver keeps', async () => {
    const { trigger, receiver, secret } = await subscribed();
    const { event, deliveries } = await trigger();
    const [delivery] = await service.waitForDelivery({ eventId: event.id, status: 'success' });
    const [request] = receiver.requests;
    expect(delivery).toMatchObject({ id: deliveries[0]?.id, attempt: 1 });
    expect(request?.json()).toEqual(event);
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request?.headers ?? {};
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64url');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${request?.body}`).digest('base64');
    expect(signature).toBe(`v1,${expected}`);
  });

  test('rejects a type outside the catalog', async () => {
    const { workspaceId } = await service.workspace();
    await expect(service.trigger('no.such_type', { workspaceId })).rejects.toThrow(/not in the event catalog/);
  });
});

describe('service.waitForDelivery()', () => {
  test('reports what happened so far and what comes next', async () => {
    const { trigger, receiver } = await subscribed();
    receiver.respond({ status: 401, body: 'bad signature' });
    const { event, deliveries } = await trigger();
    await service.waitForIdle();
    // Part of the five minutes has passed.
    await service.clock.advance('1500ms');
    const id = deliveries[0]?.id;
    const early = service.waitForDelivery({ eventId: event.id, status: 'success', timeoutMs: 0 });
    await expect(early).rejects.toThrow(
      new RegExp(
        `^${id} is pending: 1 attempt, the last one HTTP 401 \\("bad signature"\\), the next is due in 5 min\\. Run service\\.clock\\.advance\\('5m'\\) to trigger it$`,
      ),
    );
    await expect(early).rejects.toBeInstanceOf(WaitError);
  });

  test('suggests a clock move that triggers the attempt', async () => {
    const { trigger, receiver, endpointId } = await subscribed();
    receiver.respond({ status: 500 }, { status: 204 });
    await trigger();
    await service.waitForIdle();
    const { message } = (await service
      .waitForDelivery({ endpointId, status: 'success', timeoutMs: 0 })
      .catch((reason: unknown) => reason)) as Error;
    await service.clock.advance(String(/advance\('(\w+)'\)/.exec(message)?.[1]));
    expect(await service.waitForDelivery({ endpointId, status: 'success' })).toMatchObject([{ attempt: 2 }]);
  });

  test('reports that no endpoint subscribes', async () => {
    const { workspaceId } = await service.workspace();
    const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
    await expect(service.waitForDelivery({ eventId: event.id, timeoutMs: 0 })).rejects.toThrow(
      `${event.id} has no deliveries: no endpoint of its workspace subscribes to its type.`,
    );
  });

  test('reports that an endpoint got nothing yet', async () => {
    const { endpointId } = await subscribed();
    await expect(service.waitForDelivery({ endpointId, timeoutMs: 0 })).rejects.toThrow(
      `${endpointId} has no deliveries yet. Trigger an event that it subscribes to`,
    );
  });

  test('reports how a delivery ended if it ended differently', async () => {
    const { trigger, endpointId } = await subscribed();
    const { event } = await trigger();
    await service.waitForDelivery({ eventId: event.id });
    await expect(service.waitForDelivery({ endpointId, status: 'failed', timeoutMs: 0 })).rejects.toThrow(
      /^whd_\w+ is success\. Attempt 1 delivered it/,
    );
  });

  test('requires one of the ids', async () => {
    await expect(service.waitForDelivery({ status: 'success' })).rejects.toThrow(TypeError);
  });
});

test('service.waitForIdle() reports what is in flight when it times out', async () => {
  const { trigger, receiver } = await subscribed();
  const released = Promise.withResolvers<void>();
  receiver.respond(async () => {
    await released.promise;
    return new Response(null, { status: 204 });
  });
  await trigger();
  await receiver.next();
  await expect(service.waitForIdle({ timeoutMs: 0 })).rejects.toThrow('After 0 ms, 1 attempts are in flight');
  released.resolve();
  expect(await service.waitForIdle()).toMatchObject({ settled: true, inFlight: 0 });
});

test('service.faults adds and removes faults', async () => {
  const { trigger, endpointId } = await subscribed();
  await service.faults.add({ target: 'delivery', match: { endpointId }, effect: { status: 503 } });
  expect(await service.faults.list()).toMatchObject([{ match: { endpointId }, remaining: null }]);
  await trigger();
  await service.waitForIdle();
  await service.faults.clear();
  expect(await service.faults.list()).toEqual([]);
  await service.clock.advance('5m');
  expect(await service.waitForDelivery({ endpointId, status: 'success' })).toMatchObject([{ attempt: 2 }]);
});
