import { tmpdir } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { checkMachine } from '../../src/cli/doctor/machine.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { noPgBouncer, startPgBouncer } from './support/pgbouncer.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Returns what the doctor says about the database and the master key, as the command does without arguments. */
async function examine(url: string, server = 'http://127.0.0.1:1'): Promise<string[]> {
  const findings = await checkMachine(server, tmpdir(), url);
  const found = findings.filter(({ what }) => what === 'database' || what === 'master key');
  return found.map(({ what, ok, detail }) => `${ok ? 'ok' : 'WRONG'} ${what}: ${detail}`);
}

test('the doctor finds what stops a server on PostgreSQL: a newer schema, or another master key', async () => {
  await using database = await createTestDatabase();
  {
    await using _api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
  }
  vi.stubEnv('SVC_MASTER_KEY', TEST_MASTER_KEY);
  const name = /[^/]+\/[^/]+$/.exec(database.url)?.[0].replace(/^.*@/, '');
  expect(await examine(database.url)).toEqual([
    `ok database: ${name}`,
    'ok master key: the key belongs to the database',
  ]);

  vi.stubEnv('SVC_MASTER_KEY', Buffer.alloc(32, 'other').toString('base64'));
  expect((await examine(database.url))[1]).toMatch(/^WRONG master key: .+ does not belong to this data/);

  await using storage = await openPostgres(database.url);
  const newer = { name: '9999-newer', timestamp: '2031-03-01' };
  await storage.write((queries) =>
    queries
      .insertInto('kysely_migration' as never)
      .values(newer as never)
      .execute(),
  );
  expect((await examine(database.url))[0]).toMatch(/^WRONG database: a newer version .+ 9999-newer to /);
  await storage.write((queries) =>
    queries
      .deleteFrom('kysely_migration' as never)
      .where('name' as never, '=', newer.name as never)
      .execute(),
  );
});

test('the doctor does not ask for the master key of a server that responds', async () => {
  await using database = await createTestDatabase();
  await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
  vi.stubEnv('SVC_MASTER_KEY', Buffer.alloc(32, 'other').toString('base64'));
  expect(await examine(database.url, api.server.url)).toEqual([expect.stringMatching(/^ok database: /)]);
  expect(await examine(database.url)).toHaveLength(2);
});

test.skipIf(noPgBouncer)('the doctor finds a pooler', async () => {
  await using database = await createTestDatabase();
  await using pooler = await startPgBouncer(database.url, 'transaction');
  expect(await examine(pooler.url)).toEqual([
    expect.stringMatching(/^WRONG database: The database \S+ is behind a connection pooler/),
  ]);
});
