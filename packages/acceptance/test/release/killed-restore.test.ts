import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createControlClient } from '@svc/mock-server/testing';
import { startProcess } from '@svc/testing';
import { createDatabase, dropDatabases, startCluster, type TestPostgres } from '@svc/testing/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const EVENTS = 1_000;

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

/** A kind of database: the options of its server, and a number that grows as the database writes. */
const KINDS = {
  async SQLite() {
    const data = join(folder, 'sqlite');
    // SQLite keeps the rows in memory and writes its log when it commits.
    return { options: ['--data', data], written: async () => statSync(join(data, 'svc-mock.sqlite-wal')).mtimeMs };
  },
  async PostgreSQL() {
    const database = await createDatabase(postgres);
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    cleanup.defer(() => client.end());
    return {
      options: ['--data', join(folder, 'key'), '--database', database],
      async written() {
        // The size includes rows that are not committed yet.
        const { rows } = await client.query("select pg_relation_size(to_regclass('events')) as bytes");
        return Number(rows[0].bytes);
      },
    };
  },
};

/** Every row, except the settings that a start or a restore writes. */
async function rowsOf(url: string): Promise<string> {
  const text = await (await fetch(`${url}/_control/export`)).text();
  return text.replaceAll(/^\{"table":"settings".*\n|^\{"end".*\n/gm, '');
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'A server on %s that is killed during a restore has the old state or the new one',
  async (kind) => {
    const { options, written } = await KINDS[kind]();
    const start = async () => {
      const server = await startProcess([...options, '--no-rate-limit']);
      return { server, url: server.ready.url, control: createControlClient({ baseUrl: server.ready.url }) };
    };

    let next: string;
    let durationMs: number;
    {
      const { server, url, control } = await start();
      await using _ = server;
      await control.changeClock({ freeze: true });
      const { credential = '', workspaceId } = server.ready.credentials.find((one) => one.workspaceId) ?? {};
      const created = await fetch(`${url}/v1/webhooks/endpoints`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        // Nothing listens there, so every delivery waits for its second attempt.
        body: JSON.stringify({ url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] }),
      });
      expect(created.status).toBe(201);
      const event = { workspaceId: String(workspaceId), type: 'lifecycle.evaluated' };
      await control.createEvents({ events: Array.from({ length: EVENTS }, () => event) });
      await control.settle({ timeoutMs: 600_000 });
      next = await rowsOf(url);
      await control.saveSnapshot({ name: 'before' });
      await control.createUser({ email: 'first@example.test', name: 'First' });
      const startedAt = performance.now();
      await control.restoreSnapshot({ name: 'before' });
      durationMs = performance.now() - startedAt;
      expect(await rowsOf(url)).toBe(next);
      await server.end('SIGTERM');
    }

    let interrupted = 0;
    for (const moment of ['half way', 'while it writes'] as const) {
      const { server, url, control } = await start();
      await using _ = server;
      await control.createUser({ email: `${moment.replaceAll(' ', '-')}@example.test`, name: 'Late' });
      const old = await rowsOf(url);
      expect(old).not.toBe(next);

      const before = await written();
      const startedAt = performance.now();
      const hasCome = async () => {
        if (moment === 'while it writes') return (await written()) > before;
        return performance.now() - startedAt > durationMs / 2;
      };
      let isOver = false;
      const restoring = control.restoreSnapshot({ name: 'before' }).then(
        () => {
          isOver = true;
        },
        () => {},
      );
      while (!isOver && !(await hasCome())) await new Promise(setImmediate);
      if (!isOver) interrupted++;
      await server.end('SIGKILL');
      await restoring;

      const again = await start();
      await using _again = again.server;
      const now = await rowsOf(again.url);
      expect([old, next].indexOf(now), `${moment}: it is one of them`).not.toBe(-1);
      // Nothing is left of the restore: it can be done again.
      await again.control.restoreSnapshot({ name: 'before' });
      expect(await rowsOf(again.url)).toBe(next);
      await again.server.end('SIGTERM');
    }
    expect(interrupted).toBeGreaterThan(0);
  },
);
