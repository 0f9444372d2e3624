import { describe, expect, it, test } from 'vitest';
import { HeldLanes, type NextAttempt } from '../../src/delivery/lanes/held.ts';
import type { HeldLane } from '../../src/delivery/lanes/lane.ts';
import type { DeliveryToSend } from '../../src/storage/delivery/queue-places.ts';

const QUICK = { responded: true, durationMs: 5 };
const SLOW = { responded: true, durationMs: 2_000 };

const target = { url: 'https://receiver.test/hook', active: true, secrets: [] };
const deliveryOf = (endpointId: string, id: string, retry = 0): DeliveryToSend => ({
  id,
  endpointId,
  workspaceId: `wsp_${endpointId}`,
  eventId: `evt_${id}`,
  eventType: 'lifecycle.evaluated',
  attemptsMade: 0,
  body: '{}',
  traceparent: null,
  place: { endpointId, deliveryId: id, retry, dueAt: 0 },
});

/** Lanes held since 0 on the process's clock, each in a separate workspace. */
function holding(limits: { concurrency: number; endpointConcurrency: number }, ...endpointIds: string[]) {
  const held = new HeldLanes(limits);
  for (const endpointId of endpointIds) held.hold(endpointId, 'session', 0);
  let taken = 0;
  /** Takes deliveries into a lane. */
  const fill = (endpointId: string, now: number, count = 1, retry = 0) => {
    const deliveries = Array.from({ length: count }, () => deliveryOf(endpointId, `${endpointId}${++taken}`, retry));
    held.beginLook(now, true);
    held.fill(endpointId, { target, deliveries }, { mayHaveMore: false, startedAt: now });
  };
  /** Starts every attempt that can start at this time. */
  const startAll = (now: number) => {
    const started: NextAttempt[] = [];
    for (let next = held.start(now); next; next = held.start(now)) started.push(next);
    return started;
  };
  const end = (attempt: NextAttempt, outcome = QUICK) => {
    held.ended(attempt, outcome);
    held.stored(attempt.lane, attempt.delivery.id);
  };
  /** Makes one attempt to each of these endpoints, with this outcome. */
  const learn = (ids: readonly string[], outcome: typeof QUICK) => {
    for (const id of ids) {
      fill(id, 0);
      for (const attempt of startAll(0)) end(attempt, outcome);
    }
  };
  return { held, fill, startAll, end, learn };
}

const laneOf = (held: { lanes: ReadonlyMap<string, HeldLane> }, id: string) => held.lanes.get(id);
const idsOf = (attempts: readonly NextAttempt[]) => attempts.map(({ delivery }) => delivery.id);

describe('A delivery that was read with its endpoint', () => {
  it('is sent if it was read at most 1 s ago', () => {
    const { fill, startAll } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    fill('a', 1_000);
    expect(idsOf(startAll(2_000))).toEqual(['a1']);
  });

  it('is read again instead of sent if it was read more than 1 s ago', () => {
    const { held, fill, startAll } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    fill('a', 1_000);
    expect(startAll(2_001)).toEqual([]);
    expect(held.isSkipped('a1')).toBe(false);
    expect(held.refresh(2_001, true)).toMatchObject([{ endpointId: 'a', inHand: 0, room: expect.any(Number) }]);
    expect(held.refresh(2_001, true)[0]?.room).toBeGreaterThan(0);
    fill('a', 2_001);
    expect(idsOf(startAll(2_001))).toEqual(['a2']);
  });

  it('keeps its age when more deliveries are taken, and they are dropped together', () => {
    const { held, fill } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    fill('a', 1_000, 2);
    fill('a', 1_750);
    expect(laneOf(held, 'a')?.ready).toHaveLength(3);
    held.refresh(2_000, true);
    expect(laneOf(held, 'a')?.ready).toHaveLength(3);
    held.refresh(2_001, true);
    expect(laneOf(held, 'a')?.ready).toHaveLength(0);
  });

  it('stays until it is too old itself, once the deliveries read before it are gone', () => {
    const { held, fill, startAll } = holding({ concurrency: 8, endpointConcurrency: 1 }, 'a');
    fill('a', 1_000);
    fill('a', 1_750);
    expect(idsOf(startAll(2_000))).toEqual(['a1']);
    held.refresh(2_750, true);
    expect(laneOf(held, 'a')?.ready).toHaveLength(1);
    held.refresh(2_751, true);
    expect(laneOf(held, 'a')?.ready).toHaveLength(0);
  });

  it('is not sent after the endpoint has changed', () => {
    const { held, fill, startAll } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a', 'b');
    fill('a', 0);
    fill('b', 0);
    held.endpointChanged('a');
    expect(idsOf(startAll(0))).toEqual(['b2']);
  });
});

describe('A look at a lane with a delivery in hand', () => {
  const placesOf = (held: ReturnType<typeof holding>['held'], now: number) =>
    held.refresh(now, true).map(({ cameTo }) => cameTo?.map((place) => place?.deliveryId));

  it('continues where the previous look stopped, and begins at the head again after more than a second', () => {
    const { held, fill, startAll, learn } = holding({ concurrency: 24, endpointConcurrency: 8 }, 'a');
    learn(['a', 'a', 'a'], QUICK);
    fill('a', 1_500, 2);
    startAll(1_500);
    held.markAll();
    expect(placesOf(held, 2_500)).toEqual([['a5', undefined]]);
    fill('a', 2_450);
    startAll(2_450);
    held.markAll();
    expect(placesOf(held, 2_500)).toEqual([['a6', undefined]]);
    expect(placesOf(held, 2_501)).toEqual([undefined]);
  });

  it('looks again if a delivery may have become due during the look', () => {
    const { held, fill, startAll, learn } = holding({ concurrency: 24, endpointConcurrency: 8 }, 'a');
    learn(['a', 'a', 'a'], QUICK);
    fill('a', 0);
    startAll(0);
    const read = (meanwhile: () => void) => {
      held.markAll();
      const lanes = held.beginLook(0, true);
      meanwhile();
      held.fill('a', { target, deliveries: [] }, { mayHaveMore: false, startedAt: 0 });
      return { looked: lanes.length > 0, needs: held.refresh(0, true).length };
    };
    expect(read(() => {})).toEqual({ looked: true, needs: 0 });
    expect(read(() => held.markAll())).toEqual({ looked: true, needs: 1 });
  });

  it('counts the deliveries that were chosen for the lane, so that each fourth can be a retry', () => {
    const { held, fill, startAll, learn } = holding({ concurrency: 24, endpointConcurrency: 8 }, 'a');
    learn(['a', 'a', 'a'], QUICK);
    fill('a', 0, 2);
    startAll(0);
    held.markAll();
    expect(held.refresh(0, true)).toMatchObject([{ endpointId: 'a', chosen: 5 }]);
  });

  it('starts at the head after a look that found nothing', () => {
    const { held, fill, startAll } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    fill('a', 1_000);
    startAll(1_000);
    fill('a', 1_010, 0);
    held.markAll();
    expect(placesOf(held, 1_010)).toEqual([undefined]);
  });

  it('starts at the head after a look that is not used, because it skipped deliveries which have been dropped since', () => {
    const { held, fill, startAll, learn } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    learn(['a', 'a', 'a', 'a', 'a'], QUICK);
    fill('a', 0);
    startAll(0);
    fill('a', 0);
    held.markAll();
    held.beginLook(0, true);
    held.dropAllReady();
    const found = { target, deliveries: [deliveryOf('a', 'another')] };
    held.fill('a', found, { mayHaveMore: false, startedAt: 0 });
    expect(held.lanes.get('a')?.ready).toEqual([]);
    expect(held.isSkipped('another')).toBe(false);
    expect(placesOf(held, 0)).toEqual([undefined]);
  });

  it('does not use what a look read before its endpoint changed', () => {
    const { held, fill } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    fill('a', 0);
    held.markAll();
    held.beginLook(0, true);
    held.endpointChanged('a');
    const found = { target, deliveries: [deliveryOf('a', 'another')] };
    held.fill('a', found, { mayHaveMore: false, startedAt: 0 });
    expect(held.lanes.get('a')?.ready).toEqual([]);
    expect(held.isSkipped('another')).toBe(false);
  });

  it('starts at the head when the deliveries read are dropped, or when none is in hand anymore', () => {
    const { held, fill, startAll, end } = holding({ concurrency: 8, endpointConcurrency: 1 }, 'a', 'b');
    fill('a', 1_000, 2);
    fill('b', 1_000);
    const started = startAll(1_000);
    held.endpointChanged('a');
    for (const attempt of started.filter(({ lane }) => lane.endpointId === 'b')) end(attempt);
    held.markAll();
    expect(placesOf(held, 1_000)).toEqual([undefined, undefined]);
  });
});

describe('A delivery in hand', () => {
  it('stays in hand after its write-back until the next look at the queue, because a look may have begun before', () => {
    const { held, fill, startAll, end } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    fill('a', 0);
    const [attempt] = startAll(0);
    expect(held.isSkipped('a1')).toBe(true);
    if (attempt) end(attempt);
    expect(held.isSkipped('a1')).toBe(true);
    held.beginLook(0, true);
    expect(held.isSkipped('a1')).toBe(false);
  });

  it('stays in hand when its lane is released, but only if it is in flight', () => {
    const { held, fill, startAll } = holding({ concurrency: 1, endpointConcurrency: 8 }, 'a');
    fill('a', 0, 2);
    startAll(0);
    held.drop({ endpointId: 'a', session: 'session' });
    expect([held.isSkipped('a1'), held.isSkipped('a2')]).toEqual([true, false]);
    expect(held.lanes.size).toBe(0);
  });

  it('is not released if its lane has been claimed again under another session', () => {
    const { held, fill, startAll } = holding({ concurrency: 8, endpointConcurrency: 8 }, 'a');
    held.hold('a', 'next session', 0);
    fill('a', 0);
    held.drop({ endpointId: 'a', session: 'session' });
    expect(idsOf(startAll(0))).toEqual(['a1']);
  });
});

describe('A slot', () => {
  it('is free again only when its attempt is written back', () => {
    const { held, fill, startAll } = holding({ concurrency: 2, endpointConcurrency: 8 }, 'a', 'b');
    fill('a', 0, 2);
    fill('b', 0, 2);
    const [first] = startAll(0);
    if (first) held.ended(first, QUICK);
    expect(startAll(0)).toEqual([]);
    if (first) held.stored(first.lane, first.delivery.id);
    expect(startAll(0)).toHaveLength(1);
  });
});

describe('The hold', () => {
  it('of a lane lasts 2 s while other lanes wait', () => {
    const { held } = holding({ concurrency: 1, endpointConcurrency: 8 }, 'a', 'b');
    expect(held.refresh(2_000, true).map(({ room }) => room > 0)).toEqual([true, true]);
  });

  it('of a lane ends after more than 2 s: the lane gets no more deliveries, and is released once no delivery is in hand', () => {
    const { held, fill, startAll, end } = holding({ concurrency: 1, endpointConcurrency: 8 }, 'a', 'b');
    fill('a', 2_000);
    const [attempt] = startAll(2_000);
    held.markAll();
    expect(held.refresh(2_001, true)).toMatchObject([{ endpointId: 'b', session: 'session', room: 0, inHand: 0 }]);
    if (attempt) end(attempt);
    expect(held.refresh(2_001, true).map(({ room, inHand }) => [room, inHand])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('of a lane does not end while the node could hold more lanes', () => {
    const { held } = holding({ concurrency: 3, endpointConcurrency: 8 }, 'a', 'b');
    expect(held.refresh(20_000, true).map(({ room }) => room > 0)).toEqual([true, true]);
  });
});

test('Slots pass from lane to lane after each delivery', () => {
  const { fill, startAll } = holding({ concurrency: 4, endpointConcurrency: 8 }, 'a', 'b');
  fill('a', 0, 3);
  fill('b', 0, 3);
  expect(idsOf(startAll(0))).toEqual(['a1', 'b4', 'a2', 'b5']);
});

describe('First attempts', () => {
  const retrying = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

  it('go before the retries of other lanes, which get every fourth slot', () => {
    const { fill, startAll } = holding({ concurrency: 24, endpointConcurrency: 8 }, ...retrying, 'x', 'y', 'z');
    for (const id of retrying) fill(id, 0, 1, 1);
    for (const id of ['x', 'y', 'z']) fill(id, 0, 2);
    const kinds = startAll(0).map(({ delivery }) => (delivery.place.retry ? 'retry' : 'first'));
    expect(kinds.slice(0, 8).filter((kind) => kind === 'retry')).toHaveLength(2);
    expect(kinds.slice(8)).toEqual(Array(6).fill('retry'));
  });

  it('leave every fourth slot to retries on a busy node, however often it looks for a slot in vain', () => {
    for (const looks of [0, 1, 2, 3]) {
      const { fill, startAll, end } = holding({ concurrency: 1, endpointConcurrency: 1 }, ...retrying, 'x', 'y');
      const kinds: string[] = [];
      for (const id of retrying) fill(id, 0, 8, 1);
      for (const id of ['x', 'y']) fill(id, 0, 40);
      for (let attempts = 0; attempts < 32; attempts++) {
        const [attempt] = startAll(0);
        for (let look = 0; look < looks; look++) expect(startAll(0)).toEqual([]);
        if (!attempt) throw new Error('No attempt started.');
        kinds.push(attempt.delivery.place.retry ? 'retry' : 'first');
        end(attempt);
      }
      expect(kinds.filter((kind) => kind === 'retry')).toHaveLength(8);
    }
  });

  it('wait for one slot at most while eight lanes have retries', () => {
    const { fill, startAll, end } = holding({ concurrency: 1, endpointConcurrency: 1 }, ...retrying, 'x');
    for (const id of retrying) fill(id, 0, 1, 1);
    const [running] = startAll(0);
    fill('x', 0);
    if (running) end(running);
    const [next] = startAll(0);
    if (next) end(next);
    const [afterIt] = startAll(0);
    expect([next, afterIt].map((attempt) => attempt?.lane.endpointId)).toContain('x');
  });
});

describe('One endpoint', () => {
  it.each([4, 8, 24])('gets at most half of the slots of its workspace: of %i', (concurrency) => {
    const { fill, startAll, learn } = holding({ concurrency, endpointConcurrency: 16 }, 'a', 'b');
    learn(Array(20).fill('a'), QUICK);
    fill('a', 0, 20);
    const inFlight = startAll(0).length;
    expect(inFlight).toBeLessThanOrEqual(Math.ceil(concurrency / 3));
    fill('b', 0);
    expect(startAll(0).map(({ lane }) => lane.endpointId)).toEqual(['b']);
  });
});

describe('Endpoints that respond slowly', () => {
  const slow = ['s', 't', 'u'];

  it('share half of the slots, so that other endpoints find a free slot', () => {
    const { fill, startAll, learn } = holding({ concurrency: 4, endpointConcurrency: 8 }, ...slow, 'q');
    learn(slow, SLOW);
    for (const id of slow) fill(id, 0, 4);
    expect(startAll(0).map(({ lane }) => lane.endpointId)).toEqual(['s', 't']);
    fill('q', 0, 2);
    expect(startAll(0).map(({ lane }) => lane.endpointId)).toEqual(['q', 'q']);
  });

  it('may use all slots again once they respond in less than 2 s', () => {
    const { fill, startAll, learn } = holding({ concurrency: 4, endpointConcurrency: 8 }, ...slow);
    learn(slow, SLOW);
    learn(slow, { responded: true, durationMs: 1_999 });
    for (const id of slow) fill(id, 0, 4);
    expect(startAll(0)).toHaveLength(4);
  });

  it('get every fourth slot next to quick endpoints, until their share is used up', () => {
    const { fill, startAll, learn } = holding({ concurrency: 36, endpointConcurrency: 12 }, 's', 'q');
    learn(['s', 's', 's', 'q', 'q', 'q', 'q', 'q', 'q', 'q', 'q', 'q'], QUICK);
    learn(['s'], SLOW);
    fill('s', 0, 12);
    fill('q', 0, 12);
    // The attempts of `learn` count too, so only the distances between slots are known.
    const order = startAll(0)
      .slice(0, 12)
      .map(({ lane }) => lane.endpointId);
    const slotsOfSlow = order.flatMap((endpointId, index) => (endpointId === 's' ? [index] : []));
    expect(slotsOfSlow).toHaveLength(3);
    expect(slotsOfSlow.map((slot) => slot - (slotsOfSlow[0] ?? 0))).toEqual([0, 4, 8]);
  });
});
