import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Queries, Storage } from '../../../src/storage/port.ts';

/** Does the work in a transaction that stays open until the test ends it. */
export async function holdOpen(storage: Storage, work: (queries: Queries) => Promise<unknown>) {
  const done = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const transaction = storage.write(async (queries) => {
    await work(queries);
    done.resolve();
    await end.promise;
  });
  transaction.catch(done.reject);
  await done.promise;
  return {
    async commit() {
      end.resolve();
      await transaction;
    },
    async rollBack() {
      end.reject(new Error('rolled back'));
      await transaction.catch(() => {});
    },
    async [Symbol.asyncDispose]() {
      end.resolve();
      await transaction.catch(() => {});
    },
  };
}

/** Waits until a transaction is blocked by a lock of another one. */
export const untilBlocked = (storage: Storage) =>
  vi.waitFor(async () => {
    const { rows } = await storage.read((queries) =>
      sql`select 1 from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(queries),
    );
    expect(rows).not.toEqual([]);
  });
