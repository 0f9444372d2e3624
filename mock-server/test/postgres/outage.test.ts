import { describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../api.ts';
import { createTestDatabase } from '../database.ts';
import { demo } from '../demo.ts';
import { startReceiver } from '../receiver.ts';
import { startProxy } from './support/proxy.ts';

const key = { credential: demo.production.key };

describe('The database is away', () => {
  test('the API answers 503 with Retry-After, the engine waits, and both go on by themselves without a loss', async () => {
    await using receiver = await startReceiver();
    await using database = await createTestDatabase();
    await using proxy = await startProxy(database.url);
    await using api = await startApi({ databaseUrl: proxy.url, masterKey: TEST_MASTER_KEY, rateLimit: false });
    const body = { url: receiver.url, subscribedEvents: ['*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { ...key, body });
    const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
    const events = { body: { events: Array.from({ length: 50 }, () => event) } };
    const accepted = await api.call('POST', '/_control/events', events);

    await proxy.cut();
    const away = await api.call('GET', '/v1/webhooks/endpoints', key);
    expect(away).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await api.call('GET', '/health/live')).status).toBe(200);
    expect((await api.call('GET', '/health/ready')).status).toBe(503);
    expect((await api.call('POST', '/_control/events', events)).status).toBe(503);

    await proxy.mend();
    await vi.waitFor(async () => expect((await api.call('GET', '/health/ready')).status).toBe(200), 15_000);
    const later = await api.call('POST', '/_control/events', { body: event });
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({
      settled: true,
      pending: 0,
    });
    const ids = [...accepted.body.events, later.body].flatMap((item) =>
      item.deliveries.map(({ id }: { id: string }) => id),
    );
    // At least once: what was under way when the connection broke may have been sent again.
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids));
    for (const id of ids) {
      const { body: shown } = await api.call('GET', `/v1/webhooks/deliveries/${id}`, key);
      expect(shown.delivery).toMatchObject({ status: 'success', attempt: 1 });
    }
  });
});
