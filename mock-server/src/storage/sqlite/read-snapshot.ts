import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync as Connection } from 'node:sqlite';
import type { Queries } from '../port.ts';
import { connectWithoutFlush } from './connection.ts';
import { queriesOver } from './dialect.ts';
import type { Lock } from './lock.ts';

/** Reads a database file over a separate connection. In WAL mode, a transaction sees the data as of its first read. */
export async function readSnapshot<Result>(file: string, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  await using queries = queriesOver(connectWithoutFlush(file));
  return await queries.transaction().execute(work);
}

/** Reads a copy of an in-memory database, whose single connection is busy only while the copy is made. */
export async function readCopy<Result>(
  connection: Connection,
  lock: Lock,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  // `mkdtemp` creates a folder that only the current user can open, so the copy is private.
  const folder = await mkdtemp(join(tmpdir(), 'svc-mock-export-'));
  const copy = join(folder, 'copy.sqlite');
  try {
    {
      using _held = await lock.acquire();
      connection.prepare('VACUUM INTO ?').run(copy);
    }
    return await readSnapshot(copy, work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
