import { expect, test } from 'vitest';
import { latestMigration } from '../../../src/storage/migrations/index.ts';
import { saveSetting } from '../../../src/storage/statements/settings.ts';
import { restoreSnapshot, saveSnapshot } from '../../../src/transfer/snapshots.ts';
import { openTestStorage } from '../../support/database.ts';

/** Saves a snapshot, changes the data, and restores the snapshot as if another migration had been the latest. */
async function restoreFrom(schema: string) {
  await using storage = await openTestStorage();
  await storage.write((queries) => saveSetting(queries, 'idLeadMs', 1));
  await storage.write((queries) => saveSnapshot(queries, 'before', 0));
  await storage.write(async (queries) => {
    const { lines } = await queries.selectFrom('snapshots').select('lines').executeTakeFirstOrThrow();
    const changed = lines.replace(/"schema":"[^"]+"/, `"schema":"${schema}"`);
    await queries.updateTable('snapshots').set({ lines: changed }).execute();
  });
  return await storage.write((queries) => restoreSnapshot(queries, 'before'));
}

test('A snapshot of the same schema can be restored', async () => {
  expect(await restoreFrom(latestMigration)).toBe(true);
});

test('A snapshot of another schema is refused', async () => {
  await expect(restoreFrom('9999-newer')).rejects.toThrow(
    `The data was saved with the schema 9999-newer, but this svc-mock has the schema ${latestMigration}. Use the version of svc-mock that saved the data.`,
  );
});
