import type { Queries } from '../port.ts';

/** A snapshot is damaged, or was saved with another schema. The message contains the reason. */
export class UnreadableSnapshotError extends Error {
  override readonly name = 'UnreadableSnapshotError';
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
