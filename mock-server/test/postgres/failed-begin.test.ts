import { expect, test } from 'vitest';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { together } from '../../src/storage/together.ts';
import { createTestDatabase } from '../support/database.ts';
import { insert, names } from '../support/storage/users.ts';
import { startProxy } from './support/proxy.ts';

test('A write whose transaction does not start stores nothing, and the next write succeeds', async () => {
  await using database = await createTestDatabase();
  await using proxy = await startProxy(database.url);
  await using storage = connectPostgres(proxy.url, 'engine');
  const write = (...ids: string[]) => storage.write((queries) => together(ids.map((id) => insert(queries, id))));
  proxy.spoil('begin isolation level', 'begin isolation levex');
  await expect(write('a', 'b')).rejects.toThrow('syntax error');
  expect(await names(storage)).toEqual([]);
  await write('c', 'd');
  expect(await names(storage)).toEqual(['c', 'd']);
});
