import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { isUniqueViolation, type Storage, StorageUnavailableError } from '../../src/storage/port.ts';
import { openEngineStorage } from '../../src/storage/sqlite/engine-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { together } from '../../src/storage/together.ts';
import { openEngineThread } from '../support/storage/engine-thread.ts';
import { insert, insertion, names } from '../support/storage/users.ts';

describe("The engine's statements on a separate thread", () => {
  test('each side sees at once what the other has written', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
    await engine.write((queries) => insert(queries, 'a'));
    expect(await names(storage)).toEqual(['a']);
    await storage.write((queries) => insert(queries, 'b'));
    expect(await names(engine)).toEqual(['a', 'b']);
  });

  test('requests can read while a transaction of the engine is open, and see none of its changes', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
    await engine.write(async (queries) => {
      await insert(queries, 'a');
      expect([await names(storage), await names(engine)]).toEqual([[], []]);
    });
    expect(await names(storage)).toEqual(['a']);
  });

  test('writes run one at a time in the order of their calls, and a write that throws changes nothing', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
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

  test('other writes run between two bulk writes, also between those of the two sides', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
    const order: string[] = [];
    const write = (to: Storage, id: string, isBulk: boolean) =>
      to.write(
        async (queries) => {
          order.push(id);
          await insert(queries, id);
        },
        { isBulk },
      );
    const bulk = [write(engine, 'bulk 1', true), write(engine, 'bulk 2', true), write(storage, 'bulk 3', true)];
    await Promise.all([...bulk, write(engine, 'a', false), write(storage, 'b', false)]);
    expect(order.slice(0, 3).sort()).toEqual(['a', 'b', 'bulk 1']);
    expect(order.slice(3)).toEqual(['bulk 2', 'bulk 3']);
  });

  test('a bulk write that throws does not stop later ones', async () => {
    await using database = await openEngineThread();
    for (const to of [database.engine, database.storage]) {
      const failing = to.write(() => Promise.reject(new Error('not this one')), { isBulk: true });
      const next = to.write(async () => 'done', { isBulk: true });
      await expect(failing).rejects.toThrow('not this one');
      expect(await next).toBe('done');
    }
  });

  test('a write waits until its commit is on disk, unless its caller needs no wait', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
    using flush = vi.spyOn(storage, 'flush');
    await engine.write((queries) => insert(queries, 'a'), { waitsForDisk: false });
    expect(flush).not.toHaveBeenCalled();
    const disk = Promise.withResolvers<void>();
    flush.mockReturnValue(disk.promise);
    const settled = vi.fn();
    const waiting = [engine.write((queries) => insert(queries, 'b')), engine.writeAtOnce(() => [insertion('c')])].map(
      (write) => write.then(settled),
    );
    await vi.waitFor(async () => expect(await names(storage)).toEqual(['a', 'b', 'c']));
    expect(settled).not.toHaveBeenCalled();
    disk.resolve();
    await Promise.all(waiting);
  });

  test('after the disk failed, the engine writes nothing', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
    using _ = vi.spyOn(storage, 'check').mockImplementation(() => {
      throw new StorageUnavailableError('The disk failed.');
    });
    await expect(engine.write((queries) => insert(queries, 'a'))).rejects.toThrow('The disk failed.');
    await expect(engine.writeAtOnce(() => [])).rejects.toThrow('The disk failed.');
    expect(await names(storage)).toEqual([]);
  });

  test('errors are the same as without the thread', async () => {
    await using database = await openEngineThread();
    const { engine } = database;
    await engine.write((queries) => insert(queries, 'a'));
    const error = await engine.write((queries) => insert(queries, 'a')).catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
  });

  test('a statement after a failure that ended the transaction reports that failure', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
    await storage.write((queries) =>
      sql`create trigger ending before insert on users begin select raise(rollback, 'no users today'); end`.execute(
        queries,
      ),
    );
    for (const ending of [storage, engine]) {
      const failed = ending.write(async (queries) => {
        await insert(queries, 'a').catch(() => {});
        await names({ read: (work) => work(queries) } as Storage);
      });
      await expect(failed).rejects.toThrow(
        'The transaction was rolled back because an earlier statement failed: no users today',
      );
    }
  });

  test('a full database is unavailable, and no statement after the failure takes effect', async () => {
    await using database = await openEngineThread();
    const { storage, engine } = database;
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

  test('when the thread ends, writes that wait for it fail, and later statements run without it', async () => {
    using post = vi.spyOn(Worker.prototype, 'postMessage');
    await using database = await openEngineThread();
    const { storage, engine, threadEnded } = database;
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

  test('a thread that cannot work is reported, and the statements run without it', async () => {
    await using storage = await openSqlite(':memory:');
    const threadEnded = vi.fn();
    await using engine = openEngineStorage(join(import.meta.filename, 'not-a-folder'), storage, threadEnded);
    await vi.waitFor(() => expect(threadEnded).toHaveBeenCalledOnce());
    await engine.write((queries) => insert(queries, 'a'));
    expect(await names(engine)).toEqual(['a']);
  });
});
