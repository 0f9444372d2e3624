import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { queriesOver } from '../../../../src/storage/sqlite/dialect.ts';

function open() {
  const connection = new DatabaseSync(':memory:');
  return { connection, queries: queriesOver(connection) };
}

describe('The error of a failed transaction is the error of its statement', () => {
  test('if the failure ended the transaction, as a full disk does', async () => {
    const { queries } = open();
    const failing = queries.transaction().execute(async (transaction) => {
      await sql`create table numbers (number integer unique)`.execute(transaction);
      for (const number of [1, 1]) {
        await sql`insert or rollback into numbers values (${number})`.execute(transaction);
      }
    });
    await expect(failing).rejects.toThrow('UNIQUE constraint failed: numbers.number');
    await queries.destroy();
  });

  test('if the transaction is still open, which is then rolled back', async () => {
    const { connection, queries } = open();
    const failing = queries.transaction().execute(async (transaction) => {
      await sql`create table kept (id integer)`.execute(transaction);
      await sql`select * from missing`.execute(transaction);
    });
    await expect(failing).rejects.toThrow('no such table: missing');
    expect(connection.isTransaction).toBe(false);
    expect(connection.prepare('select name from sqlite_schema').all()).toEqual([]);
    await queries.destroy();
  });
});
