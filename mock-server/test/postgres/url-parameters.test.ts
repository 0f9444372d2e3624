import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connectionNameOf } from '../../src/storage/postgres/connected-nodes.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { createTestDatabase } from '../support/database.ts';

async function readSettings(url: string) {
  await using engine = connectPostgres(url, 'engine', undefined, connectionNameOf('node', ['deliver']));
  const { rows } = await engine.read((queries) =>
    sql`select current_setting('application_name') as name, current_setting('enable_seqscan') as scans,
      current_setting('default_transaction_isolation') as isolation, current_setting('work_mem') as memory`.execute(
      queries,
    ),
  );
  return rows[0];
}

test('a database URL can set only what the server does not depend on, and cannot hide nodes from each other', async () => {
  await using database = await createTestDatabase();
  const own = { name: 'svc-mock node deliver', scans: 'off', isolation: 'read committed' };
  expect(await readSettings(database.url)).toMatchObject({ ...own, memory: '4MB' });
  const url = new URL(database.url);
  url.searchParams.set('application_name', 'billing');
  url.searchParams.set('fallback_application_name', 'billing');
  url.searchParams.set('options', '-c work_mem=8MB -c enable_seqscan=on -c default_transaction_isolation=serializable');
  expect(await readSettings(url.href)).toEqual({ ...own, memory: '8MB' });
});
