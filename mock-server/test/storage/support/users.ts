import type { Queries, Storage } from '../../../src/storage/port.ts';

/** Inserts a row to test transactions with. */
export const insert = (queries: Queries, id: string) =>
  queries
    .insertInto('users')
    .values({ id, email: `${id}@x.test`, name: id, created_at: 0 })
    .execute();

export const names = (storage: Storage) =>
  storage.read(async (queries) =>
    (await queries.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id),
  );
