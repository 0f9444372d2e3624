import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { call, cause, startServerProcess } from '../crash/server-process.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { holdersIn, sessionsIn } from '../support/delivery/sessions.ts';
import { demo } from '../support/demo.ts';
import { openPostgres } from '../support/open-postgres.ts';

test('a node takes over the lanes of a killed node about 12 s after the kill', async () => {
  await using database = await createTestDatabase();
  const on = ['--database', database.url];
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void open.push(response));
  await using killed = await startServerProcess(on);
  const endpoint = { url: receiver.url, subscribedEvents: ['*'] };
  await call(killed, 'POST', '/v1/webhooks/endpoints', endpoint, demo.production.key);
  expect((await cause(killed, demo.production.id, 1)).status).toBe(201);
  await vi.waitFor(() => expect(open).toHaveLength(1));
  await using storage = await openPostgres(database.url);
  const [ended] = await sessionsIn(storage);
  await using survivor = await startServerProcess(on);
  await vi.waitFor(async () => expect(await sessionsIn(storage)).toHaveLength(2));

  killed.process.kill('SIGKILL');
  const killedAt = performance.now();
  receiver.answer = (_request, response) => void response.writeHead(200).end();
  expect(await holdersIn(storage)).toEqual([ended]);
  // This waits in real time, because both nodes are processes and a killed one shows only by what it no longer does.
  await vi.waitFor(async () => expect(await sessionsIn(storage)).not.toContain(ended));
  // The survivor may have seen the last renewal up to half a second before the kill.
  expect(performance.now() - killedAt).toBeGreaterThan(11_400);
  expect((await call(survivor, 'POST', '/_control/settle', {})).body).toMatchObject({ settled: true });
  expect(receiver.requests).toHaveLength(2);
});

test('a node that shuts down leaves no session', async () => {
  await using database = await createTestDatabase();
  await using storage = await openPostgres(database.url);
  await using node = await startServerProcess(['--database', database.url]);
  await vi.waitFor(async () => expect(await sessionsIn(storage)).toHaveLength(1));
  expect(await node.stop()).toBe(0);
  expect(await sessionsIn(storage)).toEqual([]);
});
