import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { migrations } from '../../src/storage/migrations/index.ts';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';

const NEWER = '9999-newer';
const REASON = `a newer version of the server has migrated the database to ${NEWER}, but the latest migration that this version knows is ${Object.keys(migrations).at(-1)}; start the newer version`;

/** Records a migration like a newer version, and removes the record at the end, because later tests use the database. */
async function connectNewerVersion(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const undo = () => client.query(`delete from kysely_migration where name = '${NEWER}'`);
  return {
    migrate: () => client.query(`insert into kysely_migration (name, timestamp) values ('${NEWER}', '2031-03-01')`),
    undo,
    async [Symbol.asyncDispose]() {
      await undo();
      await client.end();
    },
  };
}

/** Causes events one after another until the server accepts no more. @returns its last response. */
async function causeEvents({ call }: TestApi, accepted: string[]) {
  const body = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  for (;;) {
    const answer = await call('POST', '/_control/events', { body });
    if (answer.status !== 201) return answer;
    for (const { id } of answer.body.deliveries) accepted.push(id);
  }
}

test('a server refuses requests, stops and loses nothing it accepted if a newer version migrates its database', async () => {
  await using receiver = await startReceiver();
  await using database = await createTestDatabase();
  await using newer = await connectNewerVersion(database.url);
  const options = { databaseUrl: database.url, masterKey: TEST_MASTER_KEY, rateLimit: false };
  const accepted: string[] = [];
  {
    await using api = await startApi(options);
    const endpoint = { url: receiver.url, subscribedEvents: ['*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { credential: demo.production.key, body: endpoint });
    const workers = Array.from({ length: 8 }, () => causeEvents(api, accepted));
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(50));

    await newer.migrate();
    for (const { status, headers, body } of await Promise.all(workers)) {
      expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(await api.server.closed).toEqual(expect.objectContaining({ message: REASON }));
  }

  await newer.undo();
  await using next = await startApi(options);
  expect(await next.call('POST', '/_control/settle')).toMatchObject({ status: 200, body: { settled: true } });
  const delivered = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
  expect(accepted.filter((id) => !delivered.has(id))).toEqual([]);
});

test('the command then prints one line that says what to do, and exits with code 1', async () => {
  await using database = await createTestDatabase();
  await using newer = await connectNewerVersion(database.url);
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--port', '0', '--database', database.url], {
    env: { ...process.env, SVC_MASTER_KEY: TEST_MASTER_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(([[code], told]) => ({ code, told }));
  await once(createInterface(child.stdout), 'line');
  await newer.migrate();
  expect(await ended).toEqual({
    code: 1,
    told: expect.stringMatching(new RegExp(`^\\S+ ERROR this server stops: ${REASON}\n$`)),
  });
});
