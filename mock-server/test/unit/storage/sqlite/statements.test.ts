import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createStatements } from '../../../../src/storage/sqlite/statements.ts';

test('The error of a batch is the error of its statement, even if the failure ended the transaction', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE numbers (number INTEGER UNIQUE)');
  const insert = (conflict: string, rows: number[][]) =>
    createStatements(database)(`INSERT OR ${conflict} INTO numbers VALUES (?) RETURNING number`, [
      { rows, followers: [] },
    ]).rows;
  expect(() => insert('ROLLBACK', [[1], [1]])).toThrow('UNIQUE constraint failed: numbers.number');
  expect(() => insert('ABORT', [[2], [2]])).toThrow('UNIQUE constraint failed: numbers.number');
  expect(insert('ABORT', [[3], [4]])).toEqual([{ number: 3 }, { number: 4 }]);
  expect(database.isTransaction).toBe(false);
});
