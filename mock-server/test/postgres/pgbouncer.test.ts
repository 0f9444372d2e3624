import { PATIENCE_MS } from '@svc/testing';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findSessions } from '../../src/storage/postgres/find-sessions.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { createSockets } from '../../src/storage/postgres/sockets.ts';
import { failure, startApi, TEST_MASTER_KEY, type TestApi } from '../api.ts';
import { createTestDatabase } from '../database.ts';
import { demo } from '../demo.ts';
import { startReceiver } from '../receiver.ts';
import { noPgBouncer, startPgBouncer } from './support/pgbouncer.ts';

const key = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
const IGNORING =
  'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout,idle_session_timeout';
const SESSION_NEEDED = failure(
  'CONFLICT',
  'This server reaches its database through a connection pooler. To move the clock or to reset the data, connect it to PostgreSQL directly.',
);

let cleanup: AsyncDisposableStack;
let databaseUrl: string;
beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  databaseUrl = cleanup.use(await createTestDatabase()).url;
});
afterEach(() => cleanup.disposeAsync());

const startNode = async (url: string): Promise<TestApi> =>
  cleanup.use(await startApi({ databaseUrl: url, masterKey: TEST_MASTER_KEY, rateLimit: false }));

test('a server that connects directly has its own sessions, even if its URL sets parameters', async () => {
  expect(await findSessions(databaseUrl)).toBe('own');
  expect(await findSessions(`${databaseUrl}?statement_timeout=300`)).toBe('own');
});

describe.skipIf(noPgBouncer).each([
  ['transaction', 'refuses their parameters'],
  ['transaction', 'ignores their parameters'],
  ['session', 'refuses their parameters'],
])(`Servers behind PgBouncer in %s mode that %s${noPgBouncer ? ` (${noPgBouncer})` : ''}`, (mode, parameters) => {
  let url: string;
  beforeEach(async () => {
    const lines = parameters.startsWith('ignores') ? [IGNORING] : [];
    url = cleanup.use(await startPgBouncer(databaseUrl, mode, ...lines)).url;
  });

  test('accept events, and make each delivery once', async () => {
    await using receiver = await startReceiver();
    const nodes = [await startNode(url), await startNode(url)] as const;
    for (let count = 0; count < 10; count++) {
      const body = { url: `${receiver.url}?endpoint=${count}`, subscribedEvents: ['*'] };
      expect(await nodes[0].call('POST', '/v1/webhooks/endpoints', { ...key, body })).toMatchObject({ status: 201 });
    }
    const ids: string[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const node = nodes[index % 2 === 0 ? 0 : 1];
        const { status, body } = await node.call('POST', '/_control/events', {
          body: { events: Array(5).fill(event) },
        });
        expect(status).toBe(201);
        for (const { deliveries } of body.events) ids.push(...deliveries.map(({ id }: { id: string }) => id));
        expect((await node.call('GET', '/v1/webhooks/deliveries', key)).status).toBe(200);
      }),
    );
    expect(ids).toHaveLength(1_000);
    const settled = await nodes[0].call('POST', '/_control/settle', { body: { timeoutMs: PATIENCE_MS } });
    expect(settled.body).toMatchObject({ settled: true });
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(ids.toSorted());
    for (const status of ['pending', 'failed', 'disabled']) {
      expect((await nodes[1].call('GET', `/v1/webhooks/deliveries?status=${status}`, key)).body.data).toEqual([]);
    }
  });

  test('refuse to move the clock or reset the data, and say what to do', async () => {
    const node = await startNode(url);
    expect(await node.call('POST', '/_control/clock', { body: { advance: '5m' } })).toMatchObject({
      status: 409,
      body: SESSION_NEEDED,
    });
    expect(await node.call('POST', '/_control/reset', { body: {} })).toMatchObject({
      status: 409,
      body: SESSION_NEEDED,
    });
  });

  test('follow the clock that a directly connected server moves', async () => {
    const [direct, pooled] = [await startNode(databaseUrl), await startNode(url)];
    expect((await direct.call('POST', '/_control/clock', { body: { freeze: true } })).status).toBe(200);
    const { body: moved } = await direct.call('POST', '/_control/clock', { body: { advance: '3d' } });
    await vi.waitFor(async () =>
      expect((await pooled.call('GET', '/_control/clock')).body).toMatchObject({ now: moved.now }),
    );
  });

  test('apply their settings in each transaction, and do not leak them to other clients', async () => {
    await using storage = connectPostgres(url, 'engine', createSockets(), await findSessions(url));
    const settings = `current_setting('statement_timeout') as "time-out", current_setting('enable_seqscan') as scans`;
    const ours = { 'time-out': '10s', scans: 'off' };
    const read = async () =>
      (await storage.read((queries) => sql`select ${sql.raw(settings)}`.execute(queries))).rows[0];
    expect(await Promise.all([read(), read()])).toEqual([ours, ours]);
    await storage.write(async (queries) => {
      expect((await sql`select ${sql.raw(settings)}`.execute(queries)).rows).toEqual([ours]);
    });
    const wrote = await storage.writeAtOnce(() => [
      CompiledQuery.raw(`insert into settings (name, value) select 'seen', current_setting('enable_seqscan')
        returning name`),
    ]);
    expect(wrote).toEqual([{ name: 'seen' }]);
    const others = new pg.Client({ connectionString: url });
    await others.connect();
    cleanup.defer(() => others.end());
    expect((await others.query(`select ${settings}`)).rows).toEqual([{ 'time-out': '0', scans: 'on' }]);
    expect((await others.query("select value from settings where name = 'seen'")).rows).toEqual([{ value: 'off' }]);
  });
});
