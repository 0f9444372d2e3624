import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';

const ENDPOINTS = 6;
const EVENTS = 100;

describe('A server that joins one that has more deliveries than it can make', () => {
  test('takes over some of its endpoints, and every delivery is made once', async () => {
    await using database = await createTestDatabase();
    const options = {
      databaseUrl: database.url,
      masterKey: TEST_MASTER_KEY,
      rateLimit: false,
      endpointConcurrency: 1,
    };
    let open: ServerResponse[] = [];
    const answer = () => {
      for (const response of open) response.writeHead(200).end();
      open = [];
    };
    await using receiver = await startReceiver((_request, response) => open.push(response));
    await using first = await startApi(options);
    const subscribed = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    for (let count = 0; count < ENDPOINTS; count++) {
      await first.call('POST', '/v1/webhooks/endpoints', { credential: demo.production.key, body: subscribed });
    }
    const events = Array.from({ length: EVENTS }, () => ({
      workspaceId: demo.production.id,
      type: 'lifecycle.evaluated',
    }));
    const { body } = await first.call('POST', '/_control/events', { body: { events } });
    await vi.waitFor(() => expect(open).toHaveLength(ENDPOINTS));

    await using second = await startApi(options);
    // Each check responds to the open requests. If the first server handed over no lanes, it would be done after 100
    // checks, and the second would have made no attempt.
    await vi.waitFor(async () => {
      answer();
      expect(await attemptsMade(second)).toBeGreaterThan(0);
    });
    receiver.answer = (_request, response) => response.writeHead(200).end();
    answer();
    expect((await second.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });

    const caused = body.events.flatMap(({ deliveries }: { deliveries: { id: string }[] }) => deliveries);
    expect(caused).toHaveLength(ENDPOINTS * EVENTS);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      caused.map(({ id }: { id: string }) => id).sort(),
    );
    expect((await attemptsMade(first)) + (await attemptsMade(second))).toBe(ENDPOINTS * EVENTS);
  });
});

async function attemptsMade({ server }: TestApi): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^svc_delivery_attempt_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
}
