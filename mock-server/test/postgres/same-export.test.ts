import { expect, test } from 'vitest';
import { startServer } from '../../src/index.ts';
import { startApi } from '../api.ts';
import { repeatable, scriptedExport } from '../http/support/scripted-export.ts';
import { startReceiver } from '../receiver.ts';

test('The stable export of one script is the same to the byte on PostgreSQL and on SQLite', async () => {
  await using receiver = await startReceiver();
  await using postgres = await startApi(repeatable(7));
  await using sqlite = await startServer({ ...repeatable(7), port: 0, dataDir: null, logLevel: 'silent' });
  const fromPostgres = await scriptedExport(postgres.server, receiver);
  expect(fromPostgres).toBe(await scriptedExport(sqlite, receiver));
  expect(fromPostgres.split('\n').length).toBeGreaterThan(100);
});
