import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { LEASE_MS } from '../../src/delivery/limits.ts';
import { connectionNameOf } from '../../src/storage/postgres/connected-nodes.ts';
import { connectPostgres, openPostgres } from '../../src/storage/postgres/open.ts';
import { claimLanes } from '../../src/storage/statements/claim-lanes.ts';
import { findLaneHolders } from '../../src/storage/statements/find-lane-holders.ts';
import { freeLanesOf } from '../../src/storage/statements/free-lanes-of.ts';
import { call, cause, startServerProcess } from '../crash/server-process.ts';
import { createTestDatabase } from '../database.ts';
import { startReceiver } from '../delivery/support/receiver.ts';
import { addEndpoint, createWorld, emit } from '../delivery/support/world.ts';
import { demo } from '../demo.ts';

test('a node takes over the lanes of a killed node before their leases end', async () => {
  await using database = await createTestDatabase();
  const on = ['--database', database.url];
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void open.push(response));
  await using killed = await startServerProcess(on);
  const endpoint = { url: receiver.url, subscribedEvents: ['*'] };
  await call(killed, 'POST', '/v1/webhooks/endpoints', endpoint, demo.production.key);
  expect((await cause(killed, demo.production.id, 1)).status).toBe(201);
  await vi.waitFor(() => expect(open).toHaveLength(1));
  await using survivor = await startServerProcess(on);

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const readLease = async () => {
    const { rows } = await client.query<{ token: string; isHeld: boolean; isOver: boolean }>(
      `select lease_token as token, lease_until is not null as "isHeld",
      coalesce(lease_until < extract(epoch from clock_timestamp()) * 1000, false) as "isOver" from delivery_lanes`,
    );
    return rows[0];
  };
  try {
    killed.process.kill('SIGKILL');
    const lease = await readLease();
    expect(lease).toMatchObject({ isHeld: true });
    receiver.answer = (_request, response) => void response.writeHead(200).end();
    let wasOver = false;
    await vi.waitFor(async () => {
      const current = await readLease();
      if (current?.token === lease?.token) wasOver ||= current?.isOver ?? true;
      expect(current?.token).not.toBe(lease?.token);
    });
    expect(wasOver).toBe(false);
  } finally {
    await client.end();
  }
  expect((await call(survivor, 'POST', '/_control/settle', {})).body).toMatchObject({ settled: true });
  expect(receiver.requests).toHaveLength(2);
});

test('a node that others consider gone keeps its lanes if it is connected right now', async () => {
  await using database = await createTestDatabase();
  const world = await createWorld(await openPostgres(database.url));
  await using storage = world.storage;
  await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  const claim = { now: world.clock.now(), leaseMs: LEASE_MS, limit: 1, except: [], holder: 'back' };
  expect(await storage.write((queries) => claimLanes(queries, claim))).toHaveLength(1);
  {
    await using back = connectPostgres(database.url, 'engine', undefined, 'own', connectionNameOf('back', ['deliver']));
    await back.read((queries) => findLaneHolders(queries));
    expect(await storage.write((queries) => freeLanesOf(queries, ['back']))).toBe(0);
  }
  await vi.waitFor(async () => expect(await storage.write((queries) => freeLanesOf(queries, ['back']))).toBe(1));
});
