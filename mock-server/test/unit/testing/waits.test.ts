import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MockService, startMockService, WaitError } from '../../../src/testing/index.ts';
import { subscribe } from '../../support/subscribed.ts';

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service.close());

const subscribed = () => subscribe(service);

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
      `${event.id} has no deliveries, because no endpoint of the workspace subscribes to this event type.`,
    );
  });

  test('reports that an endpoint got nothing yet', async () => {
    const { endpointId } = await subscribed();
    await expect(service.waitForDelivery({ endpointId, timeoutMs: 0 })).rejects.toThrow(
      `${endpointId} has no deliveries yet. Trigger an event that the endpoint subscribes to.`,
    );
  });

  test('reports how a delivery ended if it ended differently', async () => {
    const { trigger, endpointId } = await subscribed();
    const { event } = await trigger();
    await service.waitForDelivery({ eventId: event.id });
    await expect(service.waitForDelivery({ endpointId, status: 'failed', timeoutMs: 0 })).rejects.toThrow(
      /^whd_\w+ is success\. Attempt 1 succeeded at/,
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
  await expect(service.waitForIdle({ timeoutMs: 0 })).rejects.toThrow(
    'After 0 ms, 1 attempts or evaluations are in flight',
  );
  released.resolve();
  expect(await service.waitForIdle()).toMatchObject({ settled: true, inFlight: 0 });
});

test('service.waitForIdle() needs no time if nothing is due or in flight', async () => {
  await using idle = await startMockService();
  expect(await idle.waitForIdle({ timeoutMs: 0 })).toMatchObject({ settled: true, pending: 0, inFlight: 0 });
});
