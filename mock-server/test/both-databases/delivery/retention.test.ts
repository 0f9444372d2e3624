import { RETRY_DELAYS_MS } from '@svc/contract';
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { beginPass, continuePass, type RetentionPass, stepOf } from '../../../src/delivery/retention.ts';
import type { Evaluation } from '../../../src/domain/profiles/evaluation.ts';
import { raiseIdLead } from '../../../src/storage/changes/ids.ts';
import { notifyDevelopers } from '../../../src/storage/changes/notifications.ts';
import { removeOldEvents } from '../../../src/storage/changes/retention.ts';
import { acceptEvents, insertDeliveries } from '../../../src/storage/delivery/accept.ts';
import type { Queries } from '../../../src/storage/port.ts';
import { insertReplayedEvent } from '../../../src/storage/statements/events.ts';
import { insertEvaluation } from '../../../src/storage/statements/profiles/evaluations.ts';
import { deleteSetting, saveSetting } from '../../../src/storage/statements/settings.ts';
import { status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  addMember,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  MINUTE,
  START,
  type startEngine,
  startWorld,
  type World,
} from '../../support/delivery/world.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function countsOf({ storage }: World) {
  return storage.read(async (queries) => {
    const count = async (table: 'events' | 'deliveries' | 'delivery_attempts' | 'replayed_events') =>
      (await queries.selectFrom(table).selectAll().execute()).length;
    return {
      events: await count('events'),
      deliveries: await count('deliveries'),
      attempts: await count('delivery_attempts'),
      replayed: await count('replayed_events'),
    };
  });
}

/** Makes a whole pass over what ended before an instant. @returns its number of steps. */
async function removeAll({ storage }: Pick<World, 'storage'>, before: number, limit = 100): Promise<number> {
  let steps = 0;
  for (let pass: RetentionPass | undefined = beginPass(before); pass; steps++) {
    const at: RetentionPass = pass;
    pass = await storage.write((queries) => stepOf(queries, at, limit));
  }
  return steps;
}

/** Accepts an event whose deliveries are created a millisecond later, as happens on a running clock. */
async function emitSlowly({ storage, clock, ids, workspaceId }: World) {
  const event = { id: ids.next('event'), workspaceId, type: 'lifecycle.evaluated', createdAt: clock.now() };
  clock.restore(clock.stateAt(clock.now() + 1));
  const [[delivery] = []] = await storage.write((queries) => acceptEvents(queries, { ids, clock }, [event]));
  return delivery?.id ?? '';
}

/** Which of these deliveries are still there. */
const keptOf = ({ storage }: World, ids: readonly (string | undefined)[]) =>
  storage.read(async (queries) => {
    const rows = await queries.selectFrom('deliveries').select('id').execute();
    return ids.map((id) => rows.some((row) => row.id === id));
  });

/** Makes every attempt at the time when it is due. */
async function runAll(world: World, engine: Awaited<ReturnType<typeof startEngine>>): Promise<void> {
  for (let due = await engine.nextDueAt(); due !== undefined; due = await engine.nextDueAt()) {
    world.clock.restore(world.clock.stateAt(Math.max(due, world.clock.now())));
    await engine.runDue();
  }
}

describe('Retention', () => {
  it('removes only deliveries that ended before a given millisecond, and their events', async () => {
    await using world = await startWorld();
    await emit(world, 5);
    await world.engine.runDue();
    world.clock.restore(world.clock.stateAt(START + DAY));
    await emit(world, 3);
    await world.engine.runDue();

    await removeAll(world, START);
    expect(await countsOf(world)).toEqual({ events: 8, deliveries: 8, attempts: 8, replayed: 0 });
    await removeAll(world, START + 1);
    expect(await countsOf(world)).toEqual({ events: 3, deliveries: 3, attempts: 3, replayed: 0 });
    await removeAll(world, START + DAY);
    expect(await countsOf(world)).toEqual({ events: 3, deliveries: 3, attempts: 3, replayed: 0 });
  });

  it('works in small steps', async () => {
    await using world = await startWorld();
    await emit(world, 25);
    await world.engine.runDue();
    expect(await removeAll(world, START + DAY, 10)).toBeGreaterThanOrEqual(5);
    expect(await countsOf(world)).toEqual({ events: 0, deliveries: 0, attempts: 0, replayed: 0 });
  });

  it('keeps pending deliveries and their events', async () => {
    await using world = await startWorld(status(500));
    const { receiver, storage, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await removeAll(world, START + 30 * DAY);
    receiver.answer = status(200);
    world.clock.restore(world.clock.stateAt(START + 30 * DAY));
    expect(await engine.runDue()).toBe(1);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 2 });
  });

  it('keeps the event of a delivery that was stored after the pass had checked the deliveries', async () => {
    await using world = await startWorld();
    const { storage, engine } = world;
    let pass: RetentionPass | undefined = beginPass(START + 30 * DAY);
    while (pass?.phase === 'deliveries') {
      const at: RetentionPass = pass;
      pass = await storage.write((queries) => stepOf(queries, at));
    }
    expect(pass).toBeDefined();
    // The ids are from before the clock moved past the retention time.
    const [id] = await emit(world);
    while (pass) {
      const at: RetentionPass = pass;
      pass = await storage.write((queries) => stepOf(queries, at));
    }
    expect(await countsOf(world)).toMatchObject({ events: 1, deliveries: 1 });
    expect(await engine.runDue()).toBe(1);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success' });
  });

  it('also removes old rows whose ids are ahead of the clock, and keeps newer ones', async () => {
    await using world = await startWorld();
    const { storage, engine, clock, ids, workspaceId } = world;
    // As after a move of the clock by a year and back.
    clock.restore(clock.stateAt(START + 365 * DAY));
    ids.nextBare();
    clock.restore(clock.stateAt(START));
    await storage.write((queries) => raiseIdLead(queries, 365 * DAY));
    const notice = { workspaceId, endpointId: world.endpoint.id, type: 'webhook.endpoint.auto_disabled' as const };
    await addMember(world, 'Owner');
    const fill = async () => {
      await emit(world, 2);
      await engine.runDue();
      const createdAt = clock.now();
      await storage.write((queries) => notifyDevelopers(queries, ids, { ...notice, createdAt, sendsEmails: false }));
    };
    await fill();
    clock.restore(clock.stateAt(START + 5 * DAY));
    await fill();
    const countAll = async () => ({
      ...(await countsOf(world)),
      notifications: (await storage.read((queries) => queries.selectFrom('notifications').select('id').execute()))
        .length,
    });
    const before = await countAll();
    await storage.write((queries) => saveSetting(queries, 'clock', clock.state));
    let pass: RetentionPass | undefined;
    const options = { clock, retentionMs: 2 * DAY };
    do pass = await storage.write((queries) => continuePass(queries, options, pass, 1));
    while (pass);
    expect(await countAll()).toEqual({
      events: 2,
      deliveries: 2,
      attempts: 2,
      replayed: 0,
      notifications: before.notifications / 2,
    });
  });

  it('keeps the event that a replay sends again', async () => {
    await using world = await startWorld();
    const { receiver, storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    const original = await deliveryOf(storage, id);

    world.clock.restore(world.clock.stateAt(START + DAY));
    const eventId = world.ids.next('event');
    const { workspaceId } = world;
    const replay = {
      id: world.ids.next('webhookDelivery'),
      workspaceId,
      endpointId: endpoint.id,
      eventId,
      payloadEventId: original.event_id,
      eventType: original.event_type,
      status: 'pending' as const,
      createdAt: world.clock.now(),
    };
    await storage.write(async (queries) => {
      await insertReplayedEvent(queries, { id: eventId, workspaceId, originalEventId: original.event_id });
      await insertDeliveries(queries, [replay]);
    });
    await removeAll(world, START + DAY);
    expect(await countsOf(world)).toEqual({ events: 1, deliveries: 1, attempts: 0, replayed: 1 });
    await removeAll(world, START + 2 * DAY);
    expect(await countsOf(world)).toEqual({ events: 1, deliveries: 1, attempts: 0, replayed: 1 });
    await engine.runDue();
    expect(receiver.requests.map(({ body }) => body)).toEqual([receiver.requests[0]?.body, receiver.requests[0]?.body]);
    await removeAll(world, START + 2 * DAY);
    expect(await countsOf(world)).toEqual({ events: 0, deliveries: 0, attempts: 0, replayed: 0 });
  });

  it('reads one replay of an event, however many there are', async () => {
    await using world = await startWorld();
    const { storage, workspaceId, ids } = world;
    await emit(world);
    await world.engine.runDue();
    const { id: originalEventId } = await storage.read((queries) =>
      queries.selectFrom('events').select('id').executeTakeFirstOrThrow(),
    );
    world.clock.restore(world.clock.stateAt(START + DAY));
    await storage.write(async (queries) => {
      for (let count = 0; count < 50; count++)
        await insertReplayedEvent(queries, { id: ids.next('event'), workspaceId, originalEventId });
    });
    let rowsMax = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rowsMax = Math.max(rowsMax, result.rows.length);
        return result;
      },
    };
    const order = { before: START + HOUR, idsBefore: START + HOUR, after: '', limit: 10 };
    expect(await storage.write((queries) => removeOldEvents(queries.withPlugin(counting), order))).toBeUndefined();
    expect(rowsMax).toBe(1);
    expect(await countsOf(world)).toMatchObject({ events: 1, replayed: 50 });
  });

  it('deletes about as many attempts in a step as deliveries', async () => {
    await using world = await startWorld(status(500));
    const delivered = await emit(world, 6);
    await runAll(world, world.engine);
    const { attempts } = await countsOf(world);
    expect(attempts).toBe(delivered.length * (RETRY_DELAYS_MS.length + 1));
    const before = world.clock.now() + 1;
    const first = await world.storage.write((queries) => stepOf(queries, beginPass(before), 20));
    expect(first).toMatchObject({ phase: 'deliveries', after: delivered.toSorted()[1] });
    expect(await countsOf(world)).toMatchObject({ deliveries: 4, attempts: attempts - 2 * 11 });
    await removeAll(world, before, 20);
    expect(await countsOf(world)).toMatchObject({ deliveries: 0, attempts: 0 });
  });

  describe('whose pass has deleted two of five deliveries', () => {
    /** Runs one step at a time when all five deliveries are old, and then changes the stored settings. */
    async function interrupt(change: (queries: Queries) => Promise<void>) {
      const world = await startWorld();
      await emit(world, 5);
      await world.engine.runDue();
      const options = { clock: world.clock, retentionMs: DAY };
      const run = (pass?: RetentionPass) => world.storage.write((queries) => continuePass(queries, options, pass, 2));
      await world.storage.write((queries) => saveSetting(queries, 'clock', { frozenAt: START + 30 * DAY }));
      const first = await run();
      expect(await countsOf(world)).toMatchObject({ events: 5, deliveries: 3 });
      await world.storage.write(change);
      for (let pass = await run(first); pass; ) pass = await run(pass);
      return world;
    }

    it('goes on if nothing was changed', async () => {
      await using world = await interrupt(async () => {});
      expect(await countsOf(world)).toMatchObject({ events: 0, deliveries: 0 });
    });

    it.each<[string, (queries: Queries) => Promise<void>]>([
      ['the clock is set back', (queries) => saveSetting(queries, 'clock', { frozenAt: START })],
      [
        'the data is replaced, and the clock shows an earlier time again',
        async (queries) => {
          await saveSetting(queries, 'reset', 'restored');
          await deleteSetting(queries, 'clock');
        },
      ],
    ])('deletes nothing more after %s', async (_change, change) => {
      await using world = await interrupt(change);
      expect(await countsOf(world)).toMatchObject({ events: 5, deliveries: 3 });
    });

    it.each([
      ['goes on', undefined, 'replays'],
      ['begins again if the data was replaced', 'restored', 'deliveries'],
    ])('%s', async (_name, reset, phase) => {
      await using world = await interrupt(async () => {});
      const [id = ''] = await emit(world);
      await world.engine.runDue();
      await world.storage.write(async (queries) => {
        if (reset) await saveSetting(queries, 'reset', reset);
        const afterAll = { ...beginPass(START + 29 * DAY), after: `${id}~` };
        const options = { clock: world.clock, retentionMs: DAY };
        expect(await continuePass(queries, options, afterAll, 1)).toMatchObject({ phase });
      });
    });
  });

  it('keeps the event of a pending delivery whose id was generated a millisecond later', async () => {
    await using world = await startWorld(status(500));
    const { receiver, storage, engine } = world;
    const id = await emitSlowly(world);
    await engine.runDue();
    world.clock.restore(world.clock.stateAt(START + 30 * DAY));
    await removeAll(world, START + 29 * DAY);
    expect(await countsOf(world)).toEqual({ events: 1, deliveries: 1, attempts: 1, replayed: 0 });
    receiver.answer = status(200);
    await runAll(world, engine);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 2 });
  });

  it('keeps the event of a delivery that ended at the instant and whose id was generated a millisecond later', async () => {
    await using world = await startWorld();
    await emitSlowly(world);
    await world.engine.runDue();
    await removeAll(world, START + 1);
    expect(await countsOf(world)).toEqual({ events: 1, deliveries: 1, attempts: 1, replayed: 0 });
  });

  it('counts from the end of a failed delivery, to the millisecond, and keeps its event as long', async () => {
    await using world = await startWorld(status(500));
    const { storage, engine } = world;
    const [id] = await emit(world);
    await runAll(world, engine);
    const endedAt = START + RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
    expect((await attemptsOf(storage, id)).at(-1)?.ended_at).toBe(endedAt);
    await removeAll(world, endedAt);
    expect(await countsOf(world)).toEqual({ events: 1, deliveries: 1, attempts: 11, replayed: 0 });
    await removeAll(world, endedAt + 1);
    expect(await countsOf(world)).toEqual({ events: 0, deliveries: 0, attempts: 0, replayed: 0 });
  });

  it('counts from the due time of a delivery whose endpoint was inactive then', async () => {
    await using world = await startWorld(status(500));
    const { storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await storage.write((queries) =>
      queries.updateTable('webhook_endpoints').set({ active: 0 }).where('id', '=', endpoint.id).execute(),
    );
    await runAll(world, engine);
    expect((await deliveryOf(storage, id)).status).toBe('disabled');
    const endedAt = START + (RETRY_DELAYS_MS[0] ?? 0);
    expect(world.clock.now()).toBe(endedAt);
    await removeAll(world, endedAt);
    expect(await keptOf(world, [id])).toEqual([true]);
    await removeAll(world, endedAt + 1);
    expect(await keptOf(world, [id])).toEqual([false]);
  });

  it('removes ended deliveries among pending ones in steps, and keeps events from the oldest pending one on', async () => {
    await using world = await startWorld((request, response) => {
      response.writeHead(request.path.startsWith('/fails') ? 500 : 200).end();
    });
    const { receiver, engine } = world;
    const done = await emit(world, 3);
    await engine.runDue();
    await addEndpoint(world, new URL('/fails', receiver.url).href);
    world.clock.restore(world.clock.stateAt(START + 2 * MINUTE));
    const both = await emit(world, 3);
    await engine.runDue();
    await removeAll(world, START + 2 * HOUR, 2);
    expect(await keptOf(world, done)).toEqual([false, false, false]);
    expect((await keptOf(world, both)).filter(Boolean)).toHaveLength(3);
    expect(await countsOf(world)).toEqual({ events: 3, deliveries: 3, attempts: 3, replayed: 0 });
  });

  it('a delivery whose event is lost ends on schedule and does not vanish', async () => {
    await using world = await startWorld(status(200), { retryDelaysMs: [MINUTE] });
    const { receiver, storage, engine } = world;
    const [id] = await emit(world);
    await storage.write((queries) => queries.deleteFrom('events').execute());
    await runAll(world, engine);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'failed', attempt: 2, error: 'Internal error' });
    expect(receiver.requests).toEqual([]);
  });

  it('removes notifications from before an instant, to the millisecond', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const { clock, ids, workspaceId } = world;
    await addMember(world, 'Owner');
    const notice = { workspaceId, endpointId: ids.next('webhookEndpoint'), type: 'webhook.endpoint.auto_disabled' };
    for (const at of [START, START + 1]) {
      clock.restore(clock.stateAt(at));
      await storage.write((queries) => notifyDevelopers(queries, ids, { ...notice, createdAt: at }));
    }
    await removeAll(world, START + 1, 1);
    const left = await storage.read((queries) => queries.selectFrom('notifications').select('created_at').execute());
    expect(left).toEqual([{ created_at: START + 1 }]);
  });

  it('removes evaluations that started before an instant, to the millisecond', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const { clock, ids, workspaceId } = world;
    for (const at of [START, START + 1]) {
      clock.restore(clock.stateAt(at));
      const time = new Date(at).toISOString();
      const evaluation: Evaluation = {
        ...{ id: `evl_${ids.nextBare()}`, workspaceId, eventId: ids.next('event'), trigger: 'request' },
        ...{ startedAt: time, finishedAt: time, profiles: 0, changed: 0, transitions: [], syncError: null },
        states: { new: 0, active: 0, at_risk: 0, dormant: 0, churned: 0 },
      };
      await storage.write((queries) => insertEvaluation(queries, evaluation));
    }
    await removeAll(world, START + 1, 1);
    const left = await storage.read((queries) => queries.selectFrom('evaluations').select('started_at').execute());
    expect(left).toEqual([{ started_at: START + 1 }]);
  });
});
