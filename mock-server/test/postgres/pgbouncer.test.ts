import { expect, test } from 'vitest';
import { prepareDatabase } from '../../src/storage/postgres/prepare.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { noPgBouncer, startPgBouncer } from './support/pgbouncer.ts';

const IGNORING =
  'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout,idle_session_timeout';

test('a server that connects directly has its own sessions, even if its URL sets parameters', async () => {
  await using database = await createTestDatabase();
  await prepareDatabase(database.url);
  await prepareDatabase(`${database.url}?statement_timeout=300&options=-c%20enable_seqscan%3Don`);
});

test.skipIf(noPgBouncer).each([
  ['transaction', 'refuses their parameters', []],
  ['transaction', 'ignores their parameters', [IGNORING]],
  ['session', 'refuses their parameters', []],
])(
  `a server behind PgBouncer in %s mode that %s does not start${noPgBouncer ? ` (${noPgBouncer})` : ''}`,
  async (mode, _what, lines) => {
    await using database = await createTestDatabase();
    await using pooler = await startPgBouncer(database.url, mode, ...lines);
    const start = startApi({ databaseUrl: pooler.url, masterKey: TEST_MASTER_KEY });
    await expect(start).rejects.toThrow(
      /^The database \S+ is behind a connection pooler, such as PgBouncer, .+ Connect each node to PostgreSQL directly/,
    );
    // Started directly, the same server works.
    await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
    expect((await api.call('GET', '/_control/clock')).status).toBe(200);
  },
);
