import { CompiledQuery } from 'kysely';
import type { Queries, Storage } from '../../../src/storage/port.ts';

/** Inserts a row to test transactions with. */
export const insert = (queries: Queries, id: string) =>
  queries
    .insertInto('users')
    .values({ id, email: `${id}@x.test`, name: id, created_at: 0 })
    .execute();

/** One statement that inserts such rows, for either database. */
export const insertion = (...ids: readonly string[]): CompiledQuery =>
  CompiledQuery.raw(
    `insert into users (id, email, name, created_at) values ${ids.map((id) => `('${id}', '${id}@x.test', '${id}', 0)`)}`,
  );

export const names = (storage: Storage) =>
  storage.read(async (queries) =>
    (await queries.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id),
  );
