import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createControlClient } from '@svc/mock-server/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../../../mock-server/test/postgres/cluster.ts';
import { createDatabase, dropDatabases, type TestPostgres } from '../../../mock-server/test/postgres/databases.ts';
import { startProcess } from '../src/server-process.ts';

const cleanup = new AsyncDisposableStack();
let folder: string;
let postgres: TestPostgres;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-restore-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const named = process.env['SVC_TEST_POSTGRES_URL'];
  postgres = { url: named ?? cleanup.use(await startCluster()).url, prefix: `svc_restore_${process.pid}` };
  if (named) cleanup.defer(() => dropDatabases(postgres));
});
afterAll(() => cleanup.disposeAsync());

/** A kind of database: the options of its server, and how far a transaction has got in writing rows, in bytes. */
const KINDS = {
  async SQLite() {
    const data = join(folder, 'sqlite');
    return { options: ['--data', data], written: async () => statSync(join(data, 'svc-mock.sqlite-wal')).size };
  },
  async PostgreSQL() {
    const database = await createDatabase(postgres);
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    cleanup.defer(() => client.end());
    return {
      options: ['--data', join(folder, 'key'), '--database', database],
      async written() {
        // It counts what is not committed yet too.
        const { rows } = await client.query("select pg_relation_size(to_regclass('events')) as bytes");
        return Number(rows[0].bytes);
      },
    };
  },
};

/** Everything, except what a server adds to it when it starts or restores. */
async function rowsOf(url: string): Promise<string> {
  const text = await (await fetch(`${url}/_control/export`)).text();
  return text.replaceAll(/^\{"table":"settings".*\n|^\{"end".*\n/gm, '');
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'A server on %s that is killed during a restore has the old state or the new one',
  async (kind) => {
    const { options, written } = await KINDS[kind]();
    await using killed = await startProcess([...options, '--no-rate-limit']);
    const control = createControlClient({ baseUrl: killed.ready.url });
    await control.changeClock({ freeze: true });
    const [workspaceId = ''] = killed.ready.credentials.flatMap((one) => one.workspaceId ?? []);
    const events = Array.from({ length: 1_000 }, () => ({ workspaceId, type: 'lifecycle.evaluated' }));
    for (let round = 0; round < 10; round++) await control.createEvents({ events });
    const next = await rowsOf(killed.ready.url);
    await control.saveSnapshot({ name: 'before' });
    await control.createUser({ email: 'late@example.test', name: 'Late' });
    const old = await rowsOf(killed.ready.url);

    const before = await written();
    let isOver = false;
    const restoring = control.restoreSnapshot({ name: 'before' }).catch(() => {});
    void restoring.then(() => {
      isOver = true;
    });
    while (!isOver && (await written()) < before + 200_000) await new Promise(setImmediate);
    await killed.end('SIGKILL');
    await restoring;

    await using again = await startProcess([...options, '--no-rate-limit']);
    const now = await rowsOf(again.ready.url);
    expect(old).not.toBe(next);
    expect([old, next].indexOf(now), 'it is one of them').not.toBe(-1);
    // Nothing is left of the restore: it can be done again.
    await createControlClient({ baseUrl: again.ready.url }).restoreSnapshot({ name: 'before' });
    expect(await rowsOf(again.ready.url)).toBe(next);
  },
);
