import { describe, expect, test } from 'vitest';
import { HeldLanes } from '../../../../src/delivery/lanes/held.ts';
import { createClaims } from '../../../../src/delivery/queue/claims.ts';
import { createFakeTimers } from '../../../support/delivery/fake-timers.ts';

/** Claims over a database that replies with `written` to the next write. The node holds the lane `a`. */
function createTestClaims({ written, hasEnded = false }: { written: unknown; hasEnded?: boolean }) {
  const timers = createFakeTimers();
  const held = new HeldLanes({ concurrency: 8, endpointConcurrency: 4 });
  held.hold('a', 'session', timers.now());
  const calls: string[] = [];
  const claims = createClaims({
    storage: { read: async () => ({ free: 0 }), write: async () => written } as never,
    clock: { now: () => 1 } as never,
    timers,
    held,
    nodeSession: {
      isShared: true,
      id: () => 'session',
      holds: () => !hasEnded,
      ended: (session: string) => calls.push(`ended ${session}`),
    } as never,
    gate: { isOpen: () => true } as never,
    handOver: { isActive: () => false } as never,
  });
  claims.databaseLost();
  return { claims, calls, now: timers.now(), lanes: () => [...held.lanes.keys()] };
}

describe('Comparing the held lanes with the database', () => {
  test('drops lost lanes, and holds the lanes of a claim without a reply', async () => {
    const { claims, now, lanes } = createTestClaims({ written: new Set(['b']) });
    await claims.compare(now);
    expect(lanes()).toEqual(['b']);
  });

  test('changes nothing if the session ended meanwhile', async () => {
    const { claims, now, lanes } = createTestClaims({ written: new Set(['b']), hasEnded: true });
    await claims.compare(now);
    expect(lanes()).toEqual(['a']);
  });
});

describe('A claim', () => {
  test('notices that the database no longer contains the session', async () => {
    const { claims, calls, now, lanes } = createTestClaims({ written: [new Set(), []] });
    expect(await claims.claimDue(now)).toBe(0);
    expect(calls).toEqual(['ended session']);
    expect(lanes()).toEqual(['a']);
  });

  test('adds its lanes while the session exists', async () => {
    const { claims, calls, now, lanes } = createTestClaims({ written: [new Set(['session']), ['b', 'c']] });
    expect(await claims.claimDue(now)).toBe(2);
    expect(calls).toEqual([]);
    expect(lanes()).toEqual(['a', 'b', 'c']);
  });
});
