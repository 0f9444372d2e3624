import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { openEngineStorage } from '../../../src/storage/sqlite/engine-storage.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';

/** A database file that is open for requests and for the engine, whose thread is running. */
export async function openEngineThread() {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'svc-thread-'));
  cleanup.defer(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'data.sqlite');
  const storage = cleanup.use(await openSqlite(file));
  const threadEnded = vi.fn();
  const engine = cleanup.use(openEngineStorage(file, storage, threadEnded));
  // Only the connection that creates a temporary table sees it. Until the thread is up, the engine uses that connection.
  await storage.read((queries) => sql`create temp table mark (x)`.execute(queries));
  const isOwn = () =>
    engine.read(async (queries) => {
      const { rows } = await sql`select 1 from temp.sqlite_master where name = 'mark'`.execute(queries);
      return rows.length === 0;
    });
  await vi.waitFor(async () => expect(await isOwn()).toBe(true));
  const owned = cleanup.move();
  return { file, storage, engine, threadEnded, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
