import type { ServerResponse } from 'node:http';
import { startCluster } from '@svc/testing/postgres';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver as startHeldReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';
import { startProxy } from './support/proxy.ts';

const key = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };

/** Returns what a server's metrics say about its database, and whether they include what only the database knows. */
async function shownOf({ server }: TestApi) {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const seriesOf = (series: string) => new RegExp(`^${series} (.+)$`, 'm').exec(text)?.[1];
  return {
    up: seriesOf('svc_database_up'),
    tellsWhatIsDue: seriesOf('svc_deliveries_due') !== undefined && seriesOf('svc_delivery_lag_seconds') !== undefined,
  };
}

describe('If the database is unavailable', () => {
  test('the API returns 503 with Retry-After and the engine waits, and both recover on their own without a loss', async () => {
    await using receiver = await startReceiver();
    await using database = await createTestDatabase();
    await using proxy = await startProxy(database.url);
    await using api = await startApi({ databaseUrl: proxy.url, masterKey: TEST_MASTER_KEY, rateLimit: false });
    const body = { url: receiver.url, subscribedEvents: ['*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { ...key, body });
    const events = { body: { events: Array.from({ length: 50 }, () => event) } };
    const accepted = await api.call('POST', '/_control/events', events);

    expect(await shownOf(api)).toEqual({ up: '1', tellsWhatIsDue: true });

    await proxy.cut();
    expect(await shownOf(api)).toEqual({ up: '0', tellsWhatIsDue: false });
    const away = await api.call('GET', '/v1/webhooks/endpoints', key);
    expect(away).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await api.call('GET', '/health/live')).status).toBe(200);
    expect((await api.call('GET', '/health/ready')).status).toBe(503);
    expect((await api.call('POST', '/_control/events', events)).status).toBe(503);

    await proxy.mend();
    await vi.waitFor(async () => expect((await api.call('GET', '/health/ready')).status).toBe(200));
    expect(await shownOf(api)).toEqual({ up: '1', tellsWhatIsDue: true });
    const later = await api.call('POST', '/_control/events', { body: event });
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({
      settled: true,
      pending: 0,
    });
    const ids = [...accepted.body.events, later.body].flatMap((item) =>
      item.deliveries.map(({ id }: { id: string }) => id),
    );
    // At least once: attempts in flight when the connection broke may have been sent again.
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids));
    for (const id of ids) {
      const { body: shown } = await api.call('GET', `/v1/webhooks/deliveries/${id}`, key);
      expect(shown.delivery).toMatchObject({ status: 'success', attempt: 1 });
    }
  });

  test('in the middle of a reset, the API returns 503, and delivers what it accepts once the database is back', async () => {
    await using receiver = await startReceiver();
    await using database = await createTestDatabase();
    await using proxy = await startProxy(database.url);
    await using api = await startApi({ databaseUrl: proxy.url, masterKey: TEST_MASTER_KEY, rateLimit: false });
    const body = { url: receiver.url, subscribedEvents: ['*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { ...key, body });

    await using outsider = await connectTo(database.url);
    await outsider.query('begin; lock table event_types in access exclusive mode');
    const reset = api.call('POST', '/_control/reset', { body: {} });
    await vi.waitFor(async () => {
      const { rows } = await outsider.query('select 1 from pg_locks where not granted');
      expect(rows).toHaveLength(1);
    });
    await proxy.cut();
    expect((await reset).status).toBe(503);

    await outsider.query('rollback');
    await proxy.mend();
    await vi.waitFor(async () => expect((await api.call('GET', '/health/ready')).status).toBe(200));
    expect((await api.call('POST', '/_control/events', { body: event })).status).toBe(201);
    const settled = await api.call('POST', '/_control/settle', { body: {} });
    expect(settled.body).toMatchObject({ settled: true, pending: 0 });
    expect(receiver.received).toHaveLength(1);
  });

  test('after a crash under load, the API returns 503, and after a restart the engine delivers all it accepted', async () => {
    const held: ServerResponse[] = [];
    let holds = true;
    await using receiver = await startHeldReceiver((_request, response) => {
      if (holds && receiver.requests.length > 20) held.push(response);
      else response.end();
    });
    // PostgreSQL passes a commit to the operating system before it confirms it, so its own crash loses none.
    await using cluster = await startCluster({ fsync: 'off' });
    const options = { databaseUrl: cluster.url, masterKey: TEST_MASTER_KEY, rateLimit: false, concurrency: 4 };
    await using api = await startApi(options);
    await api.call('POST', '/v1/webhooks/endpoints', { ...key, body: { url: receiver.url, subscribedEvents: ['*'] } });

    const accepted: string[] = [];
    const refusals = new Set<number>();
    let isOver = false;
    const loading = Promise.all([load(), load()]);
    await using _stopped = {
      async [Symbol.asyncDispose]() {
        isOver = true;
        await loading;
      },
    };
    async function load(): Promise<void> {
      while (!isOver) {
        const { status, body } = await api.call('POST', '/_control/events', {
          body: { events: Array(20).fill(event) },
        });
        if (status !== 201) refusals.add(status);
        else accepted.push(...body.events.flatMap((item: Accepted) => item.deliveries.map(({ id }) => id)));
      }
    }
    // The crash comes while attempts are made and written back, and many deliveries wait.
    await vi.waitFor(() => {
      // One endpoint gets two of the four slots.
      expect(held).toHaveLength(2);
      expect(accepted.length - receiver.requests.length).toBeGreaterThan(200);
    });
    holds = false;
    for (const response of held) response.end();
    await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(30));
    await cluster.stop();
    expect((await api.call('GET', '/v1/webhooks/endpoints', key)).status).toBe(503);
    expect((await api.call('GET', '/health/ready')).status).toBe(503);
    await vi.waitFor(() => expect([...refusals]).toEqual([503]));
    isOver = true;
    await loading;

    await cluster.start();
    const idsReceived = () => receiver.requests.map(({ headers }) => headers['webhook-id']);
    // No call wakes the engine: it continues on its own.
    await vi.waitFor(() => {
      const ids = new Set(idsReceived());
      expect(accepted.filter((id) => !ids.has(id))).toEqual([]);
    });
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
    const received = idsReceived();
    expect(received.length - new Set(received).size).toBeLessThanOrEqual(options.concurrency);
    for (const status of ['pending', 'failed', 'disabled']) {
      expect((await api.call('GET', `/v1/webhooks/deliveries?status=${status}`, key)).body.data).toEqual([]);
    }
  });
});

async function connectTo(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

interface Accepted {
  deliveries: { id: string }[];
}
