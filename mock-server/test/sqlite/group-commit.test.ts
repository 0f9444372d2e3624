import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createLock } from '../../src/storage/sqlite/lock.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

const user = (id: string, email = `${id}@x.test`) => ({ id, email, name: id, created_at: 0 });

const WORDS: Readonly<Record<string, string>> = {
  'BEGIN IMMEDIATE': 'begin',
  COMMIT: 'commit',
  ROLLBACK: 'rollback',
  'SAVEPOINT work': 'savepoint',
  'RELEASE work': 'release',
  'ROLLBACK TO work; RELEASE work': 'undo',
};

/** Writes over a connection that records what it runs. The statement `full` fails. */
function record({ flush, full }: { flush?: () => Promise<void>; full?: string } = {}) {
  const said: string[] = [];
  const lock = createLock();
  const exec = (sql: string) => {
    if (sql === full) throw new Error('disk full');
    said.push(WORDS[sql] ?? sql);
  };
  const commits = createGroupCommit({
    connection: { exec, isOpen: true, isTransaction: true },
    writer: lock,
    log: { check() {}, flush: flush ?? (async () => void said.push('flush')) },
    begun() {},
    committed() {},
  });
  return { said, lock, commits };
}

const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)));

describe('Group commit', () => {
  test('writes that wait together share one transaction and one flush', async () => {
    const { said, commits } = record();
    const results = await Promise.allSettled([
      commits.write(async () => 'one'),
      commits.write(async () => {
        throw new Error('two');
      }),
      commits.write(async () => 'three'),
    ]);
    expect(outcomes(results)).toEqual(['one', 'Error: two', 'three']);
    const expected = 'begin, savepoint, release, savepoint, undo, savepoint, release, commit, flush';
    expect(said.join(', ')).toBe(expected);
  });

  test('a single write needs no savepoint', async () => {
    const { said, commits } = record();
    await commits.write(async () => {});
    expect(said).toEqual(['begin', 'commit', 'flush']);
  });

  test('a write that does not wait for the disk causes no flush', async () => {
    const { said, commits } = record({ flush: () => new Promise(() => {}) });
    expect(await commits.write(async () => 'done', false)).toBe('done');
    expect(said).toEqual(['begin', 'commit']);
  });

  test('a write that waits in the same transaction still causes one', async () => {
    const { said, commits } = record();
    await Promise.all([commits.write(async () => {}, false), commits.write(async () => {})]);
    expect(said.filter((word) => word === 'flush')).toEqual(['flush']);
  });

  test('a write ends only when it is on disk, and others can write before that', async () => {
    const flushed = Promise.withResolvers<void>();
    const { said, lock, commits } = record({ flush: () => flushed.promise });
    const write = commits.write(async () => 'done').then((value) => void said.push(value));
    await vi.waitFor(() => expect(said).toContain('commit'));
    await lock.acquire();
    expect(said).toEqual(['begin', 'commit']);
    flushed.resolve();
    await write;
    expect(said).toEqual(['begin', 'commit', 'done']);
  });

  test('writes requested during a flush share one commit after it', async () => {
    const flushes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { said, commits } = record({
      flush: () => flushes[said.filter((text) => text === 'begin').length - 1]?.promise as Promise<void>,
    });
    const first = commits.write(async () => {});
    await vi.waitFor(() => expect(said).toContain('commit'));
    const rest = [commits.write(async () => {}), commits.write(async () => {})];
    flushes[0]?.resolve();
    await first;
    flushes[1]?.resolve();
    await Promise.all(rest);
    expect(said.filter((text) => text === 'begin' || text === 'commit')).toEqual([
      'begin',
      'commit',
      'begin',
      'commit',
    ]);
  });

  test('a failed flush fails every write of its batch, and the next batch continues', async () => {
    const flush = vi.fn(async () => {}).mockRejectedValueOnce(new Error('the disk failed'));
    const { commits } = record({ flush });
    const results = await Promise.allSettled([commits.write(async () => 1), commits.write(async () => 2)]);
    expect(outcomes(results)).toEqual(Array(2).fill('Error: the disk failed'));
    expect(await commits.write(async () => 3)).toBe(3);
  });

  test('a failed commit fails every write of its batch, and nothing is flushed', async () => {
    const { said, commits } = record({ full: 'COMMIT' });
    const results = await Promise.allSettled([commits.write(async () => 1), commits.write(async () => 2)]);
    expect(outcomes(results)).toEqual(Array(2).fill('Error: disk full'));
    expect(said.slice(-1)).toEqual(['rollback']);
  });

  test('a write whose failure ends the transaction fails every write of its batch, with its reason', async () => {
    await using storage = await openSqlite(':memory:');
    const [before, full, behind] = await Promise.allSettled([
      storage.write((queries) => queries.insertInto('users').values(user('usr_1')).execute()),
      storage.write(async (queries) => {
        // As after SQLITE_FULL: the database rolls the transaction back.
        await sql`rollback`.execute(queries);
        throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
      }),
      storage.write((queries) => queries.insertInto('users').values(user('usr_2')).execute()),
    ]);
    for (const result of [before, full, behind]) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StorageUnavailableError' } });
    }
    const rows = await storage.read((queries) => queries.selectFrom('users').select('id').execute());
    expect(rows).toEqual([]);
    await storage.write((queries) => queries.insertInto('users').values(user('usr_3')).execute());
  });

  test('a write that throws changes nothing and does not affect other writes', async () => {
    await using storage = await openSqlite(':memory:');
    const [bad, good] = await Promise.allSettled([
      storage.write(async (queries) => {
        await queries.insertInto('users').values(user('usr_1')).execute();
        await queries.insertInto('users').values(user('usr_1')).execute();
      }),
      storage.write((queries) => queries.insertInto('users').values(user('usr_2')).execute()),
    ]);
    expect([bad?.status, good?.status]).toEqual(['rejected', 'fulfilled']);
    const rows = await storage.read((queries) => queries.selectFrom('users').select('id').execute());
    expect(rows.map(({ id }) => id)).toEqual(['usr_2']);
  });
});
