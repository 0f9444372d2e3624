import { startCluster } from '@svc/testing/postgres';
import { expect, test, vi } from 'vitest';
import { beginSession, findLanesOf, renewSession } from '../../src/storage/delivery/node-sessions.ts';
import { beginOther } from '../support/delivery/sessions.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { query } from './support/query.ts';

test('A node renews its session and compares its lanes while commits wait for the disk', async () => {
  await using cluster = await startCluster({ fsync: 'off' });
  await using storage = await openPostgres(cluster.url);
  await beginOther(storage, 'node');
  const run = (text: string) => query({ databaseUrl: cluster.url }, text);
  const holdCommits = async (standby: string) => {
    await run(`alter system set synchronous_standby_names = '${standby}'`);
    await run('select pg_reload_conf()');
  };
  // A commit that waits for the disk also waits for this standby, which does not exist.
  await holdCommits('missing');

  const other = storage.write((queries) => beginSession(queries, 'other'));
  const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
  await vi.waitFor(async () => expect(await run(waiting)).toHaveLength(1));
  expect(await storage.write((queries) => renewSession(queries, 'node'))).toBe(true);
  expect(await storage.write((queries) => findLanesOf(queries, 'node'))).toEqual(new Set());
  expect(await run(waiting)).toHaveLength(1);
  await holdCommits('');
  await other;
});
