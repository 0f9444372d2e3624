import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../../../src/config/config.ts';
import { HeldLanes, type NextAttempt } from '../../../../src/delivery/lanes/held.ts';

const target = { url: 'https://receiver.example/', active: true, secrets: [] };

const SLOTS = 384;

/** The lanes of a node whose clock is frozen. */
function createNode(concurrency = SLOTS) {
  const held = new HeldLanes({ concurrency, endpointConcurrency: DEFAULT_CONFIG.endpointConcurrency });
  let count = 0;

  /** Holds empty lanes of a workspace. Their windows are as wide as possible, or they are slow. */
  function hold(workspaceId: string, lanes: number, durationMs = 1): void {
    for (let lane = 0; lane < lanes; lane++) held.hold(`${workspaceId}-${lane}`, 'session', 0);
    fill(workspaceId, lanes, DEFAULT_CONFIG.endpointConcurrency);
    for (let next = held.start(0); next; next = held.start(0)) end(next, durationMs);
  }

  function fill(workspaceId: string, lanes: number, each: number): void {
    for (let lane = 0; lane < lanes; lane++) {
      const endpointId = `${workspaceId}-${lane}`;
      const ids = Array.from({ length: each }, () => `delivery-${++count}`);
      const deliveries = ids.map((id) => ({
        id,
        endpointId,
        workspaceId,
        eventId: 'evt_1',
        eventType: 'lifecycle.evaluated',
        attemptsMade: 0,
        body: '{}',
        traceparent: null,
        place: { endpointId, retry: 0, dueAt: 0, deliveryId: id },
      }));
      held.fill(endpointId, { target, deliveries }, { mayHaveMore: false, startedAt: 0 });
    }
  }

  function end(attempt: NextAttempt, durationMs = 1): void {
    held.ended(attempt, { responded: true, durationMs });
    held.stored(attempt.lane, attempt.delivery.id);
  }

  /** Starts every attempt that may start. */
  function startAll(): NextAttempt[] {
    const started = [];
    for (let next = held.start(0); next; next = held.start(0)) started.push(next);
    return started;
  }

  return { held, hold, fill, end, startAll };
}

const countByWorkspace = (attempts: readonly NextAttempt[]) =>
  Object.fromEntries(
    [...Map.groupBy(attempts, ({ delivery }) => delivery.workspaceId)].map(([id, { length }]) => [id, length]),
  );

describe('The slots of a node', () => {
  it('go to a workspace that is alone, up to two thirds of them', () => {
    const { hold, fill, startAll, held } = createNode();
    hold('a', 40);
    fill('a', 40, 16);
    expect(countByWorkspace(startAll())).toEqual({ a: 256 });
    expect(held.find({ id: 'x', endpointId: 'a-0', workspaceId: 'a' })).toMatchObject({
      workspace: { inFlight: 256, max: 256 },
      node: { inFlight: 256, max: 384 },
    });
  });

  it('stay free for first attempts of many new workspaces, even if those that came one after another all hang', () => {
    const { held, hold, fill, startAll } = createNode();
    const started = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => {
      hold(id, 40);
      fill(id, 40, 16);
      return startAll().length;
    });
    expect(started).toEqual([256, 86, 18, 1, 1, 1]);
    const newcomers = Array.from({ length: 22 }, (_, index) => `newcomer-${index}`);
    for (const id of newcomers) {
      held.hold(`${id}-0`, 'session', 0);
      fill(id, 1, 2);
    }
    const firsts = newcomers.slice(0, 21);
    expect(countByWorkspace(startAll())).toEqual(Object.fromEntries(firsts.map((id) => [id, 1])));
  });

  it('stay free for the first attempt of another workspace, even if all endpoints of the first one hang', () => {
    const { hold, fill, startAll, held } = createNode();
    hold('a', 40);
    fill('a', 40, 16);
    startAll();
    held.hold('b-0', 'session', 0);
    fill('b', 1, 1);
    expect(countByWorkspace(startAll())).toEqual({ b: 1 });
  });

  it.each([2, 3, 10])('are shared equally by %i workspaces that want all of them, and some stay free', (workspaces) => {
    const { hold, fill, startAll, held } = createNode();
    const all = Array.from({ length: workspaces }, (_, index) => `w${index}`);
    for (const workspace of all) hold(workspace, 30);
    for (const workspace of all) fill(workspace, 30, 16);
    const started = Object.values(countByWorkspace(startAll()));
    const share = Math.floor((2 * SLOTS) / (1 + 2 * workspaces));
    expect(started).toHaveLength(workspaces);
    for (const count of started) expect(Math.abs(count - share)).toBeLessThanOrEqual(2);
    expect(held.inFlight()).toBeLessThan(SLOTS);
  });

  it('go to the workspace with fewer as they become free, until both workspaces have equally many', () => {
    const { hold, fill, startAll, end } = createNode();
    hold('a', 40);
    hold('b', 40);
    fill('a', 40, 64);
    const inFlight = startAll();
    fill('b', 40, 64);
    for (let round = 0; round < 400; round++) {
      inFlight.push(...startAll());
      const first = inFlight.shift();
      if (first) end(first);
    }
    const { a = 0, b = 0 } = countByWorkspace(inFlight);
    expect(Math.abs(a - b)).toBeLessThanOrEqual(3);
  });

  it('go to workspaces in turn, no matter how many lanes each has', () => {
    const { hold, fill, startAll } = createNode();
    hold('a', 20);
    hold('b', 1);
    fill('a', 20, 16);
    fill('b', 1, 16);
    expect(countByWorkspace(startAll().slice(0, 20))).toEqual({ a: 10, b: 10 });
  });

  it('go first to the slow workspace with the fewest', () => {
    const { hold, fill, startAll, end } = createNode();
    const workspaces = Array.from({ length: 50 }, (_, index) => `hanging-${index}`);
    for (const id of workspaces) hold(id, 2, 10_000);
    hold('slow', 2, 2_000);
    for (const id of workspaces) fill(id, 2, 16);
    const hanging = startAll();
    fill('slow', 2, 16);
    // The last free slots are only for workspaces without a slot.
    expect(countByWorkspace(startAll())).toEqual({ slow: 1 });
    const next = hanging.slice(0, 3).flatMap((attempt) => {
      end(attempt, 10_000);
      return startAll();
    });
    expect(countByWorkspace(next)).toEqual({ slow: 2 });
  });

  it('may be used by a lane beyond an even part, as long as other lanes leave them free', () => {
    const { held, hold, fill, startAll } = createNode();
    // An even part of the 384 slots is two for each of the 301 lanes.
    hold('others', 300);
    hold('busy', 1);
    for (let inFlight = 5; inFlight <= 15; inFlight += 5) {
      fill('busy', 1, 5);
      expect(startAll()).toHaveLength(5);
      held.markAll();
      const lane = held.refresh(0, true).find(({ endpointId }) => endpointId === 'busy-0');
      expect(lane).toMatchObject({ inHand: inFlight });
      expect(lane?.room).toBeGreaterThan(0);
    }
  });

  it('are also shared equally for slow endpoints', () => {
    const { held, hold, fill, startAll } = createNode();
    hold('a', 40, 10_000);
    hold('b', 1, 10_000);
    fill('a', 40, 16);
    expect(startAll()).toHaveLength(128);
    fill('b', 1, 16);
    expect(countByWorkspace(startAll())).toEqual({ b: 16 });
    expect(held.inFlight()).toBe(144);
  });

  it.each([1, 2, 3])('let at least one attempt start, even with a concurrency of %i', (concurrency) => {
    const { held, fill, startAll } = createNode(concurrency);
    held.hold('a-0', 'session', 0);
    fill('a', 1, 16);
    expect(startAll().length).toBeGreaterThan(0);
  });
});

describe('A lane that is held while other lanes wait', () => {
  it('is released after more than 250 ms if nothing is in flight and the workspace has its full share of slots', () => {
    const { held, fill, startAll } = createNode(4);
    for (let lane = 0; lane < 8; lane++) held.hold(`a-${lane}`, 'session', 0);
    fill('a', 8, 1);
    const busy = startAll().map(({ lane }) => lane.endpointId);
    expect(busy).toHaveLength(3);
    const letGo = (now: number) => held.refresh(now, true).filter(({ inHand, room }) => inHand === 0 && room === 0);
    expect(letGo(250)).toEqual([]);
    expect(letGo(251).map(({ endpointId }) => endpointId)).toEqual(['a-3', 'a-4', 'a-5', 'a-6', 'a-7']);
  });

  it('is kept longer if its workspace may have more slots', () => {
    const { held, fill } = createNode(4);
    for (let lane = 0; lane < 8; lane++) held.hold(`a-${lane}`, 'session', 0);
    fill('a', 8, 1);
    const letGo = (now: number) => held.refresh(now, true).filter(({ inHand, room }) => inHand === 0 && room === 0);
    expect(letGo(2_000)).toEqual([]);
    expect(letGo(2_001)).toHaveLength(8);
  });
});

describe('A lane that was lost while an attempt was in flight', () => {
  /** A node that has lost a lane with one attempt in flight. */
  function loseLane() {
    const node = createNode();
    node.held.hold('a-0', 'session', 0);
    node.fill('a', 1, 1);
    const [attempt] = node.startAll();
    if (!attempt) throw new Error('No attempt has started.');
    node.held.drop({ endpointId: 'a-0', session: 'session' });
    return { ...node, attempt };
  }

  it('keeps the attempt in its window when the node holds the lane again', () => {
    const { held, fill, startAll } = loseLane();
    held.hold('a-0', 'session', 0);
    fill('a', 1, 4);
    expect(startAll()).toHaveLength(1);
  });

  it('starts attempts again, even if the node was about to share the lane', () => {
    const { held, hold, fill, startAll } = createNode();
    hold('a', 2);
    fill('a', 2, 1);
    const started = startAll();
    fill('a', 2, 4);
    expect(held.pauseForHandOver(0)).toBe(1);
    for (let lane = 0; lane < 2; lane++) held.drop({ endpointId: `a-${lane}`, session: 'session' });
    for (let lane = 0; lane < 2; lane++) held.hold(`a-${lane}`, 'session', 0);
    expect(started).toHaveLength(2);
    expect(held.refresh(0, true).map(({ room }) => room > 0)).toEqual([true, true]);
  });

  it('is a new lane if the node holds the lane in another session', () => {
    const { held, fill, startAll } = loseLane();
    held.hold('a-0', 'other', 0);
    fill('a', 1, 4);
    expect(startAll()).toHaveLength(2);
  });

  it('is a new lane if the attempt was stored in the meantime', () => {
    const { held, end, attempt, fill, startAll } = loseLane();
    end(attempt);
    held.hold('a-0', 'session', 0);
    fill('a', 1, 4);
    expect(startAll()).toHaveLength(3);
    expect(held.lanes.get('a-0')).not.toBe(attempt.lane);
  });
});
