import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { createContext } from '../../src/context.ts';
import { createApp } from '../../src/http/app.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';

const HOUR = 3_600_000;
const as = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };

/** Starts a node without a socket on a machine whose clock is off by `offMs`. */
async function startSkewed(databaseUrl: string, offMs: number) {
  const config = { ...DEFAULT_CONFIG, dataDir: null, databaseUrl, masterKey: TEST_MASTER_KEY, logLevel: 'silent' };
  const context = await createContext({ ...config, publicUrl: 'http://service.localhost' }, () => Date.now() + offMs);
  const app = createApp(context.services);
  return {
    async call(method: string, path: string, body?: object) {
      const response = await app.fetch(
        new Request(`http://service.localhost${path}`, {
          method,
          headers: { authorization: `Bearer ${as.credential}`, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        }),
      );
      // biome-ignore lint/suspicious/noExplicitAny: tests compare whole responses; their shape is what they assert.
      return (await response.json()) as any;
    },
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}

describe.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])('A node whose clock is an hour %s', (_where, offMs) => {
  test('uses the time of the others to accept events, make and sign attempts, and move the clock', async () => {
    await using receiver = await startReceiver((_request, response) => void response.writeHead(500).end());
    await using database = await createTestDatabase();
    await using right = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY, roles: ['api'] });
    await using skewed = await startSkewed(database.url, offMs);
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    await right.call('POST', '/v1/webhooks/endpoints', { ...as, body });

    const causes = [
      async () => (await right.call('POST', '/_control/events', { body: event })).body,
      async () => await skewed.call('POST', '/_control/events', event),
    ];
    for (const [index, cause] of causes.entries()) {
      const accepted = await cause();
      expect(Math.abs(Date.parse(accepted.event.created) - Date.now())).toBeLessThan(60_000);
      await skewed.call('POST', '/_control/settle', {});
      // Only one attempt: the retry is due in five minutes, even for a node that is an hour ahead.
      expect(receiver.requests).toHaveLength(index + 1);
      const sentAt = Number(receiver.requests[index]?.headers['webhook-timestamp']) * 1_000;
      expect(Math.abs(sentAt - Date.now())).toBeLessThan(60_000);
      const { delivery } = await skewed.call('GET', `/v1/webhooks/deliveries/${accepted.deliveries[0].id}`);
      const waitMs = Date.parse(delivery.nextAttemptAt) - Date.now();
      expect(waitMs).toBeGreaterThan(4 * 60_000);
      expect(waitMs).toBeLessThan(6 * 60_000);
    }
    await skewed.call('POST', '/_control/clock', { advance: '1m' });
    const { now } = (await right.call('GET', '/_control/clock')).body;
    expect(Math.abs(Date.parse(now) - Date.now() - 60_000)).toBeLessThan(30_000);
  });

  test('takes no lane that another node holds, so an attempt in flight there is made once', async () => {
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver((_request, response) => open.push(response));
    await using database = await createTestDatabase();
    await using right = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    await right.call('POST', '/v1/webhooks/endpoints', { ...as, body });
    const accepted = await right.call('POST', '/_control/events', { body: event });
    const [{ id }] = accepted.body.deliveries;
    await vi.waitFor(() => expect(open).toHaveLength(1));

    await using skewed = await startSkewed(database.url, offMs);
    const reasonOf = async () =>
      (await skewed.call('GET', `/_control/deliveries/${id}/explanation`)).explanation.reason;
    expect(await reasonOf()).toBe('held_by_another_server');
    // Another event and a settle call ensure that the skewed node has looked for work. It has not taken the lane.
    const ping = await skewed.call('POST', '/_control/events', { ...event, workspaceId: demo.staging.id });
    expect(ping.deliveries).toEqual([]);
    await skewed.call('POST', '/_control/settle', { timeoutMs: 300 });
    expect(await reasonOf()).toBe('held_by_another_server');
    open[0]?.writeHead(200).end();
    await right.call('POST', '/_control/settle', { body: {} });
    const { delivery } = await skewed.call('GET', `/v1/webhooks/deliveries/${id}`);
    expect(delivery).toMatchObject({ status: 'success', attempt: 1 });
    expect(receiver.requests).toHaveLength(1);
  });
});
