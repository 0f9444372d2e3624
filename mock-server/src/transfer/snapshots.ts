import { ConfigError } from '../config/config.ts';
import type { Instant } from '../domain/instant.ts';
import { insertAll } from '../storage/many-rows.ts';
import type { Queries } from '../storage/port.ts';
import {
  deleteSnapshot,
  findSnapshotPart,
  hasSnapshot,
  lockSnapshots,
  UnreadableSnapshotError,
} from '../storage/statements/snapshots.ts';
import { wipe } from '../storage/wipe.ts';
import { exportLines } from './export-lines.ts';
import { importLines } from './import-lines.ts';

const LINES_MAX = 500;

/** Saves a snapshot. Replaces any snapshot of this name. Transactions that save a snapshot run one after another. */
export async function saveSnapshot(queries: Queries, name: string, now: Instant): Promise<void> {
  // This call must come first, because the next statement determines which data PostgreSQL sees.
  await lockSnapshots(queries);
  await deleteSnapshot(queries, name);
  let lines: string[] = [];
  let part = 0;
  const flush = async () => {
    part++;
    await insertAll(queries, 'snapshots', [{ name, part, lines: lines.join(''), created_at: now }]);
    lines = [];
  };
  for await (const line of exportLines(queries)) {
    lines.push(line);
    if (lines.length >= LINES_MAX) await flush();
  }
  await flush();
}

/** Returns false if no such snapshot exists. Throws {@link UnreadableSnapshotError} if the snapshot cannot be read. */
export async function restoreSnapshot(queries: Queries, name: string): Promise<boolean> {
  if (!(await hasSnapshot(queries, name))) return false;
  await wipe(queries);
  try {
    await importLines(queries, linesOf(queries, name), { checkHeader: async () => {} });
  } catch (error) {
    throw error instanceof ConfigError ? new UnreadableSnapshotError(error.message, { cause: error }) : error;
  }
  return true;
}

async function* linesOf(queries: Queries, name: string): AsyncGenerator<string> {
  for (let part = 1; ; part++) {
    const lines = await findSnapshotPart(queries, name, part);
    if (lines === undefined) return;
    yield* lines.split('\n').filter(Boolean);
  }
}
