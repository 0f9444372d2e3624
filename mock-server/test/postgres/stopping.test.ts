import { afterEach, describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { startProxy } from './support/proxy.ts';

const key = { credential: demo.production.key };

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('A server that is stopped while its database is silent', () => {
  test.each(['api', 'deliver'] as const)('closes when its time limit is reached, with the role %s', async (role) => {
    await using receiver = await startReceiver(() => {});
    await using database = await createTestDatabase();
    await using proxy = await startProxy(database.url);
    const options = { masterKey: TEST_MASTER_KEY, retentionMs: 86_400_000 };
    await using other = await startApi({ ...options, databaseUrl: database.url, roles: ['api'] });
    await using api = await startApi({ ...options, databaseUrl: proxy.url, roles: [role] });
    const body = { url: receiver.url, subscribedEvents: ['*'] };
    await other.call('POST', '/v1/webhooks/endpoints', { ...key, body });
    await other.call('POST', '/_control/events', {
      body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
    });
    // From now on the node holds the lane and has an attempt to write back.
    if (role === 'deliver') await vi.waitFor(() => expect(receiver.requests).toHaveLength(1));

    proxy.silence();
    // The timeouts of statements are longer, so none of them ends first.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const asked = api.call('GET', '/v1/me', key).catch(() => 'cut');
    // Once this is answered, the server has read the request that was sent before it.
    await api.call('GET', '/health/live');
    const timeIsUp = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeIsUp.signal);
    const closed = api.server.close();
    await vi.advanceTimersByTimeAsync(10_000);
    if (role === 'api') expect(await asked).toBe('cut');
    timeIsUp.abort();
    await closed;
    vi.useRealTimers();
  });
});
