import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';

/** The lock that Kysely's migrator takes. */
const MIGRATION_LOCK = '3853314791062309107';

/** Starts the command on a database in which a transaction holds something that the command needs. */
async function startWithout(hold: string, parameters = '') {
  await using cleanup = new AsyncDisposableStack();
  const { url } = cleanup.use(await createTestDatabase());
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  cleanup.defer(() => holder.end());
  await holder.query('begin');
  await holder.query(hold);
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'start', '--port', '0', '--database', `${url}${parameters}`], {
    env: { ...process.env, NODE_NO_WARNINGS: '1', SVC_MASTER_KEY: TEST_MASTER_KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(([[code], told]) => ({ code, told }));
  cleanup.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  // Look over another connection: inside its transaction, the holder always sees the same activity.
  const looker = new pg.Client({ connectionString: url });
  await looker.connect();
  cleanup.defer(() => looker.end());
  const isWaiting = async () =>
    (await looker.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
      .rowCount === 1;
  const owned = cleanup.move();
  return { child, ended, isWaiting, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('The command while it starts', () => {
  test('exits with code 0 on a signal, even while it waits for another server to migrate', async () => {
    await using start = await startWithout(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await vi.waitUntil(start.isWaiting);
    start.child.kill('SIGTERM');
    expect(await start.ended).toEqual({ code: 0, told: '' });
  });

  test('exits with code 2 and one line if the database does not respond in time', async () => {
    await using start = await startWithout('lock table settings in access exclusive mode', '?statement_timeout=300');
    expect(await start.ended).toEqual({
      code: 2,
      told: 'svc-mock: The database is unavailable: canceling statement due to statement timeout\n',
    });
  });
});
