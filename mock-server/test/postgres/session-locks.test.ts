import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { endSessions } from '../../src/storage/delivery/node-sessions.ts';
import { resultStatements } from '../../src/storage/delivery/store-results.ts';
import { StorageUnavailableError } from '../../src/storage/port.ts';
import { resultOf, SUCCESS } from '../support/delivery/results.ts';
import { beginOther } from '../support/delivery/sessions.ts';
import { addEndpoint, createWorld, deliveryOf, emit } from '../support/delivery/world.ts';

/** Starts to store a result while another transaction holds the session. `end` ends that transaction. */
async function startWaiting() {
  const world = await createWorld();
  const { storage } = world;
  await addEndpoint(world, 'https://receiver.test/hook');
  const [id = ''] = await emit(world);
  await beginOther(storage, 'session');
  const locked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<{ endsSession: boolean }>();
  const holding = storage.write(async (queries) => {
    await queries.selectFrom('delivery_nodes').selectAll().forUpdate().execute();
    locked.resolve();
    if ((await end.promise).endsSession) await endSessions(queries, ['session']);
  });
  await locked.promise;
  const result = await resultOf(world, id, SUCCESS);
  const write = () => storage.writeAtOnce((database) => resultStatements(database, 'session', [result], 'uncounted'));
  const writing = write();
  // A test may lose the connection before it awaits the write.
  writing.catch(() => {});
  const waiting = () =>
    storage.read(async (queries) => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(queries);
      return rows[0]?.pid;
    });
  const pid = await vi.waitUntil(waiting);
  return {
    storage,
    id,
    writing,
    write,
    pid,
    status: async () => (await deliveryOf(storage, id)).status,
    async end(endsSession: boolean) {
      end.resolve({ endsSession });
      await holding;
    },
    async [Symbol.asyncDispose]() {
      end.resolve({ endsSession: false });
      await Promise.allSettled([holding, writing]);
      await storage[Symbol.asyncDispose]();
    },
  };
}

describe('Results that wait for their session', () => {
  test('are stored if the session continues', async () => {
    await using waiting = await startWaiting();
    await waiting.end(false);
    expect(await waiting.writing).toEqual([{ deliveryId: waiting.id }]);
    expect(await waiting.status()).toBe('success');
  });

  test('are not stored if the session ends', async () => {
    await using waiting = await startWaiting();
    await waiting.end(true);
    expect(await waiting.writing).toEqual([]);
    expect(await waiting.status()).toBe('pending');
  });

  test('have an unknown outcome if the connection is lost, and the next write uses another connection', async () => {
    await using waiting = await startWaiting();
    await waiting.storage.read((queries) => sql`select pg_terminate_backend(${waiting.pid})`.execute(queries));
    const lost = await waiting.writing.catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(StorageUnavailableError);
    expect(lost).toMatchObject({ outcome: 'unknown' });
    await waiting.end(false);
    expect(await waiting.status()).toBe('pending');
    expect(await waiting.write()).toEqual([{ deliveryId: waiting.id }]);
    expect(await waiting.status()).toBe('success');
  });

  test('are stored even if the storage is closed meanwhile', async () => {
    const waiting = await startWaiting();
    const closed = waiting.storage[Symbol.asyncDispose]();
    await waiting.end(false);
    expect(await waiting.writing).toEqual([{ deliveryId: waiting.id }]);
    await closed;
  });
});
