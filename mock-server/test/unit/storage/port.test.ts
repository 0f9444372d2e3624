import { expect, test } from 'vitest';
import { refusesRows } from '../../../src/storage/port.ts';

test.each([
  [{ errcode: 19 }, true],
  [{ errcode: 2067 }, true],
  [{ errcode: 20 }, true],
  [{ code: '22P02' }, true],
  [{ code: '23505' }, true],
  [{ code: '42703' }, true],
  // A full disk, a busy database and an I/O error of SQLite.
  [{ errcode: 13 }, false],
  [{ errcode: 5 }, false],
  [{ errcode: 10 }, false],
  // An idle transaction that PostgreSQL ended, a deadlock, and a broken connection.
  [{ code: '25P03' }, false],
  [{ code: '40P01' }, false],
  [{ code: 'ECONNRESET' }, false],
  [new Error('Query read timeout'), false],
])('%j is an error of the rows: %j', (error, expected) => {
  expect(refusesRows(error)).toBe(expected);
});
