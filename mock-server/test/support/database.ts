import { createDatabase } from '@svc/testing/postgres';
import { inject } from 'vitest';
import type { Storage } from '../../src/storage/port.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { emptyDatabase } from '../postgres/support/empty-database.ts';
import { openPostgres } from './open-postgres.ts';

/** Whether this test run uses PostgreSQL. Each test file on the server's behaviour runs once on each database. */
export const onPostgres = process.env['SVC_TEST_DATABASE'] === 'postgres';

/** Databases that earlier tests in this worker made and that are empty again. Making one takes longer than most tests. */
const free: string[] = [];

/**
 * A PostgreSQL database that only this test uses, with the latest schema and no rows.
 *
 * @param reuse - Whether an earlier test may have used it and a later test may get it. Tests of query plans pass `false`,
 *   because the planner's statistics outlive the rows.
 */
export async function createTestDatabase({ reuse = true } = {}): Promise<{ url: string } & AsyncDisposable> {
  const postgres = inject('postgres');
  const url = (reuse ? free.pop() : undefined) ?? (await createDatabase(postgres, postgres.template));
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (reuse && (await emptyDatabase(url))) free.push(url);
    },
  };
}

/** A fresh database of the kind that this run tests. */
export async function openTestStorage(): Promise<Storage> {
  if (!onPostgres) return await openSqlite(':memory:');
  const database = await createTestDatabase();
  const storage = await openPostgres(database.url, 'engine');
  return {
    ...storage,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
