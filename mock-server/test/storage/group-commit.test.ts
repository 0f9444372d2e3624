import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createLock } from '../../src/storage/sqlite/lock.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { createTurns } from '../../src/storage/sqlite/turns.ts';

const user = (id: string, email = `${id}@x.test`) => ({ id, email, name: id, created_at: 0 });

describe('Group commit', () => {
  test('writes that wait together are one transaction, and reads in between see none of it half done', async () => {
    const said: string[] = [];
    const say = (text: string) => () => void said.push(text);
    const turns = createTurns(
      {
        begin: say('begin'),
        commit: say('commit'),
        rollback: say('rollback'),
        isOpen: () => true,
        savepoint: say('savepoint'),
        releaseSavepoint: say('release'),
        rollbackToSavepoint: say('undo'),
      },
      createLock(),
    );
    const results = await Promise.allSettled([
      turns.take('write', async () => 'one'),
      turns.take('write', async () => {
        throw new Error('two');
      }),
      turns.take('read', async () => {
        said.push('read');
        return 'three';
      }),
    ]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual([
      'one',
      'Error: two',
      'three',
    ]);
    expect(said).toEqual(['begin', 'savepoint', 'release', 'savepoint', 'undo', 'commit', 'read']);
  });

  test('a commit that fails fails every write of its batch', async () => {
    const turns = createTurns(
      {
        begin: () => {},
        commit: () => {
          throw new Error('disk full');
        },
        rollback: () => {},
        isOpen: () => true,
        savepoint: () => {},
        releaseSavepoint: () => {},
        rollbackToSavepoint: () => {},
      },
      createLock(),
    );
    const results = await Promise.allSettled([turns.take('write', async () => 1), turns.take('write', async () => 2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('a write whose failure ends the transaction fails every write of its batch, with its reason', async () => {
    await using storage = await openSqlite(':memory:');
    const [before, full, behind] = await Promise.allSettled([
      storage.write((queries) => queries.insertInto('users').values(user('usr_1')).execute()),
      storage.write(async (queries) => {
        // What SQLITE_FULL does: the transaction is rolled back by the database.
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

  test('a write that throws leaves nothing, and takes no other with it', async () => {
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
