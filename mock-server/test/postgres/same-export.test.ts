import { expect, test } from 'vitest';
import { startServer } from '../../src/index.ts';
import { startApi } from '../support/api.ts';
import { repeatable, scriptedExport } from '../support/http/scripted-export.ts';
import { startReceiver } from '../support/receiver.ts';

test('the stable export of a script has the same bytes on PostgreSQL and on SQLite', async () => {
  await using receiver = await startReceiver();
  await using postgres = await startApi(repeatable(7));
  await using sqlite = await startServer({ ...repeatable(7), port: 0, dataDir: null, logLevel: 'silent' });
  const fromPostgres = (await scriptedExport(postgres.server, receiver)).split('\n');
  const fromSqlite = (await scriptedExport(sqlite, receiver)).split('\n');
  // Compare lines first, so that a failure shows which row differs.
  expect(fromPostgres.filter((line) => !fromSqlite.includes(line))).toEqual([]);
  expect(fromPostgres).toEqual(fromSqlite);
  expect(fromPostgres.length).toBeGreaterThan(100);
});
