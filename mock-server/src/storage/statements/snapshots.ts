import { sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A snapshot is damaged, or was saved with another schema. The message contains the reason. */
export class UnreadableSnapshotError extends Error {
  override readonly name = 'UnreadableSnapshotError';
}

/**
 * Keeps other transactions from saving a snapshot. Later statements of this transaction see the data as of one moment.
 */
export async function lockSnapshots(queries: Queries): Promise<void> {
  if (!isPostgres(queries)) return;
  await sql`set transaction isolation level repeatable read`.execute(queries);
  await sql`lock table snapshots in share update exclusive mode`.execute(queries);
}

export async function listSnapshots(queries: Queries) {
  return await queries
    .selectFrom('snapshots')
    .select(['name', 'created_at'])
    .where('part', '=', 1)
    .orderBy('name')
    .execute();
}

export async function findSnapshotPart(queries: Queries, name: string, part: number): Promise<string | undefined> {
  const row = await queries
    .selectFrom('snapshots')
    .select('lines')
    .where('name', '=', name)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.lines;
}

export const hasSnapshot = async (queries: Queries, name: string): Promise<boolean> =>
  (await findSnapshotPart(queries, name, 1)) !== undefined;

export async function deleteSnapshot(queries: Queries, name: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('snapshots').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
