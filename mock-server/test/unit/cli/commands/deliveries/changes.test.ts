import { createClient } from '@svc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChanges } from '../../../../../src/cli/commands/deliveries/changes.ts';
import { type MockService, startMockService } from '../../../../../src/testing/index.ts';

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service.close());

/** A workspace with an endpoint, and the changes of its deliveries. */
async function follow() {
  const { apiKey, workspaceId } = await service.workspace();
  const svc = createClient({ apiKey, baseUrl: service.url });
  const receiver = await service.receiver();
  await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  const event = { type: 'lifecycle.evaluated', workspaceId };
  const trigger = async (times: number) => {
    await service.control.createEvents({ events: Array.from({ length: times }, () => event) });
    await service.waitForIdle({ timeoutMs: 30_000 });
  };
  return { receiver, trigger, look: createChanges(svc, {}) };
}

describe('The changes of deliveries', () => {
  test('include more than a thousand deliveries that arrive and end at once, if there were none before', async () => {
    const { trigger, look } = await follow();
    expect(await look()).toEqual([]);
    await trigger(1_000);
    await trigger(200);
    const changes = await look();
    expect(new Set(changes.map(({ id }) => id)).size).toBe(1_200);
    expect(changes.every(({ status }) => status === 'success')).toBe(true);
    expect(await look()).toEqual([]);
  });

  test('include each end once, and only what changed', async () => {
    const { receiver, trigger, look } = await follow();
    receiver.respond({ status: 500 });
    await trigger(150);
    expect(await look()).toHaveLength(150);
    expect(await look()).toEqual([]);
    receiver.respond({ status: 204 });
    await service.clock.advance('5m');
    const ends = await look();
    expect(ends).toHaveLength(150);
    expect(ends.every(({ status, attempt }) => status === 'success' && attempt === 2)).toBe(true);
    expect(await look()).toEqual([]);
  });
});
