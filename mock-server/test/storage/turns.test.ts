import { describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { createTurns } from '../../src/storage/sqlite/turns.ts';

const user = (id: string, email = `${id}@x.test`) => ({ id, email, name: id, created_at: 0 });

describe('Group commit', () => {
  test('writes that wait together are one transaction, and reads in between see none of it half done', async () => {
    const said: string[] = [];
    const say = (text: string) => () => void said.push(text);
    const turns = createTurns({
      begin: say('begin'),
      commit: say('commit'),
      rollback: say('rollback'),
      savepoint: say('savepoint'),
      releaseSavepoint: say('release'),
      rollbackToSavepoint: say('undo'),
    });
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
    expect(said).toEqual(['read', 'begin', 'savepoint', 'release', 'savepoint', 'undo', 'commit']);
  });

  test('a commit that fails fails every write of its batch', async () => {
    const turns = createTurns({
      begin: () => {},
      commit: () => {
        throw new Error('disk full');
      },
      rollback: () => {},
      savepoint: () => {},
      releaseSavepoint: () => {},
      rollbackToSavepoint: () => {},
    });
    const results = await Promise.allSettled([turns.take('write', async () => 1), turns.take('write', async () => 2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
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
