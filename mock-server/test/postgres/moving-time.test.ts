import type { ServerResponse } from 'node:http';
import { RETRY_DELAYS_MS } from '@svc/contract';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { type Fleet, startFleet } from './support/fleet.ts';

const HOUR = 3_600_000;
const as = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };

const move = (node: Fleet['nodes'][0], body: object) => node.call('POST', '/_control/clock', { body });

/** Makes the fleet accept one event for a receiver, and settles. @returns the id of the delivery. */
async function deliverTo(url: string, { nodes: [node] }: Fleet, { freeze = true } = {}): Promise<string> {
  if (freeze) await move(node, { freeze });
  await node.call('POST', '/v1/webhooks/endpoints', { ...as, body: { url, subscribedEvents: ['lifecycle.*'] } });
  const { body } = await node.call('POST', '/_control/events', { body: event });
  await node.call('POST', '/_control/settle', { body: {} });
  return body.deliveries[0].id;
}

/** Returns the sessions of a database that wait for the lock to move time, or hold it. */
async function sessionsAtLock({ databaseUrl }: Fleet, granted: boolean): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and granted = $1
      and database = (select oid from pg_database where datname = current_database())`,
      [granted],
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}

/** Starts a fleet whose first node is moving time by two hours. The first retry on the way is in flight. */
async function startMoving({ freeze = true } = {}) {
  await using cleanup = new AsyncDisposableStack();
  const open: ServerResponse[] = [];
  const receiver = cleanup.use(await startReceiver((_request, response) => void response.writeHead(500).end()));
  const fleet = cleanup.use(await startFleet({ rateLimit: false }));
  const id = await deliverTo(receiver.url, fleet, { freeze });
  const start = Date.parse((await fleet.nodes[0].call('GET', '/_control/clock')).body.now);
  receiver.answer = (_request, response) => void open.push(response);
  const first = move(fleet.nodes[0], { advance: '2h' });
  await vi.waitFor(() => expect(open).toHaveLength(1));
  receiver.answer = (_request, response) => void response.writeHead(500).end();
  const owned = cleanup.move();
  return {
    fleet,
    id,
    start,
    first,
    answer: () => open[0]?.writeHead(500).end(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('Nodes that move the virtual clock at the same time', () => {
  test('take turns: the clock moves by the sum, and each attempt is made once, at its own time', async () => {
    await using receiver = await startReceiver((_request, response) => void response.writeHead(500).end());
    await using fleet = await startFleet({ rateLimit: false });
    const id = await deliverTo(receiver.url, fleet);
    const start = Date.parse((await fleet.nodes[0].call('GET', '/_control/clock')).body.now);

    const answers = await Promise.all(fleet.nodes.map((node) => move(node, { advance: '30h' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.ran.attempts, 0)).toBe(10);
    for (const node of fleet.nodes) {
      expect(Date.parse((await node.call('GET', '/_control/clock')).body.now)).toBe(start + 90 * HOUR);
    }

    const dueAt = [start];
    for (const delayMs of RETRY_DELAYS_MS) dueAt.push((dueAt.at(-1) ?? 0) + delayMs);
    const { attempts } = (await fleet.nodes[2].call('GET', `/_control/deliveries/${id}/attempts`)).body;
    const made = attempts.map((attempt: { number: number; startedAt: string; endedAt: string; late: boolean }) => ({
      number: attempt.number,
      startedAt: Date.parse(attempt.startedAt),
      endedAt: Date.parse(attempt.endedAt),
      late: attempt.late,
    }));
    expect(made).toEqual(dueAt.map((at, index) => ({ number: index + 1, startedAt: at, endedAt: at, late: false })));
    expect(receiver.requests).toHaveLength(11);
    const { delivery } = (await fleet.nodes[1].call('GET', `/v1/webhooks/deliveries/${id}`, as)).body;
    expect(delivery).toMatchObject({ status: 'failed', attempt: 11 });
  });

  test('compare "set" with the clock when their lock comes, and refuse a time that is then in the past', async () => {
    await using moving = await startMoving();
    const [, second, third] = moving.fleet.nodes;
    const { start } = moving;
    const set = move(second, { set: new Date(start + HOUR).toISOString() });
    await vi.waitFor(async () => expect(await sessionsAtLock(moving.fleet, false)).toHaveLength(1));
    moving.answer();

    expect(await moving.first).toMatchObject({ status: 200, body: { ran: { attempts: 2 } } });
    expect(await set).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } });
    expect(Date.parse((await third.call('GET', '/_control/clock')).body.now)).toBe(start + 2 * HOUR);
    const later = await move(second, { set: new Date(start + 2 * HOUR).toISOString() });
    expect(later.status).toBe(200);
  });

  test('lose their lock and stop with 503 if their session ends, and the other nodes continue from there', async () => {
    await using moving = await startMoving();
    const [, second, third] = moving.fleet.nodes;
    const [holder] = await sessionsAtLock(moving.fleet, true);
    const next = move(second, { advance: '3h' });
    await vi.waitFor(async () => expect(await sessionsAtLock(moving.fleet, false)).toHaveLength(1));
    await endSession(moving.fleet, holder);
    await vi.waitFor(async () => expect(await sessionsAtLock(moving.fleet, true)).not.toEqual([holder]));
    moving.answer();

    expect((await moving.first).status).toBe(503);
    expect((await next).status).toBe(200);
    expect(Date.parse((await third.call('GET', '/_control/clock')).body.now)).toBe(
      moving.start + 5 * 60_000 + 3 * HOUR,
    );
    const { attempts } = (await third.call('GET', `/_control/deliveries/${moving.id}/attempts`)).body;
    expect(attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4]);
  });
});

describe('While one node moves the clock', () => {
  test('the other nodes use each step, and deliver what is accepted there', async () => {
    await using moving = await startMoving();
    const [, second] = moving.fleet.nodes;
    const step = new Date(moving.start + 5 * 60_000).toISOString();
    expect((await second.call('GET', '/_control/clock')).body).toMatchObject({ now: step, frozen: true });
    const { body } = await second.call('POST', '/_control/events', { body: event });
    expect(body.event.created).toBe(step);
    const attempts = `/_control/deliveries/${body.deliveries[0].id}/attempts`;
    await vi.waitFor(async () => expect((await second.call('GET', attempts)).body.attempts).toHaveLength(1));
    moving.answer();
    expect(await moving.first).toMatchObject({ status: 200, body: { ran: { attempts: 5 } } });
  });

  test('its session may end: the clock of all nodes continues from the step, and so do deliveries', async () => {
    await using moving = await startMoving({ freeze: false });
    const [first, ...others] = moving.fleet.nodes;
    const [holder] = await sessionsAtLock(moving.fleet, true);
    await endSession(moving.fleet, holder);
    expect((await moving.first).status).toBe(503);
    moving.answer();
    const clockOf = async (node: (typeof others)[0]) =>
      Date.parse((await node.call('GET', '/_control/clock')).body.now);
    const step = moving.start + 5 * 60_000;
    for (const node of [first, ...others]) {
      await vi.waitFor(async () => expect(await clockOf(node)).toBeGreaterThan(step));
      expect(await clockOf(node)).toBeLessThan(step + 60_000);
    }
    const { body } = await others[0].call('POST', '/_control/events', { body: event });
    const settled = await others[1].call('POST', '/_control/settle', { body: {} });
    expect(settled.body).toMatchObject({ settled: true });
    const { attempts } = (await first.call('GET', `/_control/deliveries/${body.deliveries[0].id}/attempts`)).body;
    expect(attempts).toHaveLength(1);
  });
});

async function endSession({ databaseUrl }: Fleet, pid: number | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('select pg_terminate_backend($1)', [pid]);
  await client.end();
}
