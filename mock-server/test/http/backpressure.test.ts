import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { createContext } from '../../src/context.ts';
import { createApp } from '../../src/http/app.ts';
import { createIntake } from '../../src/http/intake.ts';
import type { Storage } from '../../src/storage/port.ts';
import { TEST_MASTER_KEY } from '../api.ts';
import { createTestDatabase, onPostgres } from '../database.ts';
import { demo } from '../demo.ts';
import { startReceiver } from '../receiver.ts';

/** A server without a socket that lets `max` events wait; `storage` stands before its database where they are written. */
async function startBounded(max: number, storage?: (inner: Storage) => Pick<Storage, 'write'>) {
  await using cleanup = new AsyncDisposableStack();
  const database = onPostgres ? cleanup.use(await createTestDatabase()) : undefined;
  const context = cleanup.use(
    await createContext({
      ...DEFAULT_CONFIG,
      dataDir: null,
      logLevel: 'silent',
      rateLimit: false,
      publicUrl: 'http://service.test',
      ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }),
    }),
  );
  const inner = context.services.storage;
  const app = createApp({
    ...context.services,
    intake: createIntake(storage?.(inner) ?? inner, context.services.metrics, max),
  });
  const owned = cleanup.move();
  return {
    storage: inner,
    async post(path: string, body: object = {}, credential?: string) {
      const response = await app.fetch(
        new Request(`http://service.test${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(credential && { authorization: `Bearer ${credential}` }) },
          body: JSON.stringify(body),
        }),
      );
      // biome-ignore lint/suspicious/noExplicitAny: tests compare whole answers; their shape is what they assert.
      const answer = (await response.json()) as any;
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: answer };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
const countEvents = async (storage: Storage) =>
  await storage.read(async (queries) => (await queries.selectFrom('events').select('id').execute()).length);
const refused = { status: 503, retryAfter: '1', body: { error: { code: 'UNAVAILABLE' } } };

describe('More than the database takes', () => {
  test('is refused with 503 on every way in; what was accepted is delivered, and then there is room again', async () => {
    let open = Promise.withResolvers<void>();
    let waiting = 0;
    await using receiver = await startReceiver();
    await using server = await startBounded(3, (inner) => ({
      async write(work) {
        waiting++;
        await open.promise;
        return await inner.write(work);
      },
    }));
    const endpoint = { url: receiver.url, subscribedEvents: ['*'] };
    const { endpoint: created } = (await server.post('/v1/webhooks/endpoints', endpoint, demo.production.key)).body;
    const ping = () => server.post(`/v1/webhooks/endpoints/${created.id}/send-test-event`, {}, demo.production.key);

    open.resolve();
    const first = await ping();
    const replay = () =>
      server.post(`/v1/webhooks/deliveries/${first.body.ping.deliveryId}/replay`, {}, demo.production.key);
    await server.post('/_control/settle');

    open = Promise.withResolvers();
    waiting = 0;
    const accepted = [server.post('/_control/events', event), ping(), replay()];
    await vi.waitFor(() => expect(waiting).toBe(3));
    expect(await server.post('/_control/events', event)).toMatchObject(refused);
    expect(await ping()).toMatchObject(refused);
    expect(await replay()).toMatchObject(refused);

    open.resolve();
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([201, 202, 202]);
    expect((await server.post('/_control/events', event)).status).toBe(201);
    expect((await server.post('/_control/settle')).body).toMatchObject({ settled: true, pending: 0 });
    expect(receiver.received).toHaveLength(5);
  });

  test('is refused while the database is blocked, and nothing of what was refused is written', async () => {
    await using server = await startBounded(2);
    const held = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const blocked = server.storage.write(async (queries) => {
      if (onPostgres) await sql`lock table events in exclusive mode`.execute(queries);
      held.resolve();
      await free.promise;
    });
    await held.promise;
    const accepted = [server.post('/_control/events', event), server.post('/_control/events', event)];
    expect(await server.post('/_control/events', event)).toMatchObject(refused);
    free.resolve();
    await blocked;
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await countEvents(server.storage)).toBe(2);
  });

  test('a call that is larger than the bound is taken when nothing waits', async () => {
    await using server = await startBounded(2);
    expect((await server.post('/_control/events', { events: [event, event, event] })).status).toBe(201);
    expect(await countEvents(server.storage)).toBe(3);
  });
});
