import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { call, startServerProcess } from '../crash/server-process.ts';
import type { TestApi } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { startFleet } from './support/fleet.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Ends the session that has the lock. The database does the same once a node has been silent for 15 seconds. */
async function endLock(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())`,
  );
  await client.end();
  expect(rowCount).toBe(1);
}

test('a reset on a server that has lost the lock on the clock deletes nothing', async () => {
  await using fleet = await startFleet();
  const [node, other] = fleet.nodes;
  const open = Promise.withResolvers<ServerResponse>();
  await using receiver = await startReceiver((_request, response) => open.resolve(response));
  const key = { credential: demo.production.key };
  const body = { url: receiver.url, subscribedEvents: ['*'] };
  const { endpoint } = (await node.call('POST', '/v1/webhooks/endpoints', { ...key, body })).body;
  await node.call('POST', `/v1/webhooks/endpoints/${endpoint.id}/send-test-event`, { ...key, body: {} });
  const response = await open.promise;
  // The attempt runs on one of the servers. A reset on this server waits for the attempt.
  const sender = (await Promise.all(fleet.nodes.map(isSending))).indexOf(true);
  const reset = (fleet.nodes[sender] ?? node).call('POST', '/_control/reset', { body: {} });
  await vi.waitFor(() => endLock(fleet.databaseUrl));
  response.end();
  expect((await reset).status).toBe(503);
  expect((await other.call('GET', `/v1/webhooks/endpoints/${endpoint.id}`, key)).status).toBe(200);
});

const isSending = async (node: TestApi) => node.server.deliveriesInFlight() > 0;

test('a process that is frozen while it moves the clock agrees with the others when it continues', async () => {
  await using database = await createTestDatabase();
  // At noon nothing else becomes due within three hours. Near midnight the evaluation of a workspace would.
  const on = ['--database', database.url, '--start-at', '2026-06-01T12:00:00Z'];
  await using mover = await startServerProcess([...on, '--roles', 'api']);
  await using other = await startServerProcess(on);
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void response.writeHead(500).end());
  const control = async (node: typeof mover, path: string, body?: object) =>
    await call(node, body ? 'POST' : 'GET', `/_control/${path}`, body);
  const nowOn = async (node: typeof mover) => Date.parse((await control(node, 'clock')).body.now ?? '');
  const event = { events: [{ workspaceId: demo.production.id, type: 'lifecycle.evaluated' }] };

  await control(other, 'clock', { freeze: true });
  const start = await nowOn(other);
  const endpoint = { url: receiver.url, subscribedEvents: ['*'] };
  await call(other, 'POST', '/v1/webhooks/endpoints', endpoint, demo.production.key);
  await control(other, 'events', event);
  await control(other, 'settle', {});
  receiver.answer = (_request, response) => void open.push(response);

  const moved = control(mover, 'clock', { advance: '2h' });
  await vi.waitFor(() => expect(open).toHaveLength(1));
  mover.process.kill('SIGSTOP');
  await endLock(database.url);
  receiver.answer = (_request, response) => void response.writeHead(500).end();
  open[0]?.writeHead(500).end();
  expect((await control(other, 'clock', { advance: '3h' })).status).toBe(200);
  mover.process.kill('SIGCONT');

  expect((await moved).status).toBe(503);
  // The first retry was due after 5 minutes. The other node continued from that step.
  const now = start + 5 * MINUTE + 3 * HOUR;
  expect([await nowOn(mover), await nowOn(other)]).toEqual([now, now]);
  const { status, body } = await control(mover, 'events', event);
  expect(status).toBe(201);
  expect(body.events).toMatchObject([{ event: { created: new Date(now).toISOString() } }]);
  expect((await control(mover, 'settle', {})).body).toMatchObject({ settled: true });
});
