import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isUniqueViolation, type Queries, type Storage, StorageUnavailableError } from '../../src/storage/port.ts';
import { openEngineStorage } from '../../src/storage/sqlite/engine-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { together } from '../../src/storage/together.ts';

const user = (id: string) => ({ id, email: `${id}@x.test`, name: id, created_at: 0 });
const insert = (queries: Queries, id: string) => queries.insertInto('users').values(user(id)).execute();
const names = (storage: Storage) =>
  storage.read(async (queries) =>
    (await queries.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id),
  );
/** The connection's own mark: a temporary table is seen by none but the one that made it. */
const mark = (storage: Storage) => storage.write((queries) => sql`create temp table mark (x)`.execute(queries));

let cleanup: AsyncDisposableStack;
let file: string;

beforeEach(() => {
  cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'svc-thread-'));
  cleanup.defer(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'data.sqlite');
});
afterEach(() => cleanup.disposeAsync());

/** The file for requests and for the engine, whose thread is up. */
async function open() {
  const storage = cleanup.use(await openSqlite(file));
  const threadEnded = vi.fn();
  const engine = cleanup.use(openEngineStorage(file, storage, threadEnded));
  await mark(storage);
  const isOwn = () =>
    engine.read(async (queries) => {
      const { rows } = await sql`select 1 from temp.sqlite_master where name = 'mark'`.execute(queries);
      return rows.length === 0;
    });
  await vi.waitFor(async () => expect(await isOwn()).toBe(true), { timeout: 10_000 });
  return { storage, engine, threadEnded };
}

describe("The engine's statements on a thread of their own", () => {
  test('both sides see at once what the other has written', async () => {
    const { storage, engine } = await open();
    await engine.write((queries) => insert(queries, 'a'));
    expect(await names(storage)).toEqual(['a']);
    await storage.write((queries) => insert(queries, 'b'));
    expect(await names(engine)).toEqual(['a', 'b']);
  });

  test('requests are read while a transaction of the engine is open, and see nothing of it', async () => {
    const { storage, engine } = await open();
    await engine.write(async (queries) => {
      await insert(queries, 'a');
      expect([await names(storage), await names(engine)]).toEqual([[], []]);
    });
    expect(await names(storage)).toEqual(['a']);
  });

  test('one writes at a time, in the order of asking, and nothing of a write that throws is kept', async () => {
    const { storage, engine } = await open();
    const order: string[] = [];
    const write = (to: Storage, id: string) =>
      to.write(async (queries) => {
        order.push(`${id} begins`);
        await insert(queries, id);
        await names(engine);
        order.push(`${id} ends`);
        if (id === 'c') throw new Error('not this one');
      });
    const settled = await Promise.allSettled([
      write(engine, 'a'),
      write(engine, 'b'),
      write(engine, 'c'),
      write(storage, 'd'),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(order).toEqual(['a', 'b', 'c', 'd'].flatMap((id) => [`${id} begins`, `${id} ends`]));
    expect(await names(storage)).toEqual(['a', 'b', 'd']);
  });

  test('errors tell what they told without the thread', async () => {
    const { engine } = await open();
    await engine.write((queries) => insert(queries, 'a'));
    const error = await engine.write((queries) => insert(queries, 'a')).catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
  });

  test('a full database is one that cannot be used now, and nothing behind the failure takes effect', async () => {
    const { storage, engine } = await open();
    for (const full of [storage, engine]) {
      const failed = full.write(async (queries) => {
        await sql`pragma max_page_count = 1`.execute(queries);
        await together([
          queries
            .insertInto('settings')
            .values({ name: 'large', value: 'x'.repeat(4_000_000) })
            .execute(),
          insert(queries, 'behind'),
        ]);
      });
      await expect(failed).rejects.toThrow(StorageUnavailableError);
      expect(await names(storage)).toEqual([]);
    }
  });

  test('a thread that ends fails the writes that wait for it, and the statements run without it', async () => {
    const post = vi.spyOn(Worker.prototype, 'postMessage');
    cleanup.defer(() => post.mockRestore());
    const { storage, engine, threadEnded } = await open();
    const thread = post.mock.contexts.at(-1) as Worker;
    const settled = await Promise.allSettled([
      engine.write(async (queries) => {
        await insert(queries, 'a');
        await thread.terminate();
      }),
      engine.write((queries) => insert(queries, 'b')),
    ]);
    expect(settled).toEqual(Array(2).fill({ status: 'rejected', reason: expect.any(StorageUnavailableError) }));
    expect(threadEnded).toHaveBeenCalledOnce();
    await engine.write((queries) => insert(queries, 'c'));
    expect([await names(engine), await names(storage)]).toEqual([['c'], ['c']]);
  });

  test('a thread that cannot work is told of, and the statements run without it', async () => {
    const storage = cleanup.use(await openSqlite(':memory:'));
    const threadEnded = vi.fn();
    const engine = cleanup.use(openEngineStorage(join(file, 'not-a-folder'), storage, threadEnded));
    await vi.waitFor(() => expect(threadEnded).toHaveBeenCalledOnce(), { timeout: 10_000 });
    await engine.write((queries) => insert(queries, 'a'));
    expect(await names(engine)).toEqual(['a']);
  });
});
