import { describe, expect, test } from 'vitest';
import type { Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import type { Sessions } from '../../src/storage/postgres/session-settings.ts';
import { createSockets } from '../../src/storage/postgres/sockets.ts';
import { together } from '../../src/storage/together.ts';
import { createTestDatabase } from '../database.ts';
import { insert, insertion, names } from '../storage/support/users.ts';
import { startProxy } from './support/proxy.ts';

type Write = (storage: Storage, ids: readonly string[]) => Promise<unknown>;

describe.each<[string, Sessions, Write]>([
  ['A write', 'own', (storage, ids) => storage.write((queries) => together(ids.map((id) => insert(queries, id))))],
  ['A write at once over a shared session', 'shared', (storage, ids) => storage.writeAtOnce(() => [insertion(...ids)])],
])('%s whose transaction does not start', (_name, sessions, write) => {
  test('stores nothing, and the next write succeeds', async () => {
    await using database = await createTestDatabase();
    await using proxy = await startProxy(database.url);
    await using storage = connectPostgres(proxy.url, 'engine', createSockets(), sessions);
    proxy.spoil('begin isolation level', 'begin isolation levex');
    await expect(write(storage, ['a', 'b'])).rejects.toThrow('syntax error');
    expect(await names(storage)).toEqual([]);
    await write(storage, ['c', 'd']);
    expect(await names(storage)).toEqual(['c', 'd']);
  });
});
