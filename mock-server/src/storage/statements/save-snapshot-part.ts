import type { Queries } from '../port.ts';
import type { SnapshotTable } from '../schema/database.ts';

export async function saveSnapshotPart(queries: Queries, part: SnapshotTable): Promise<void> {
  await queries.insertInto('snapshots').values(part).execute();
}
