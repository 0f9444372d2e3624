import { expect, test } from 'vitest';
import { createSharing } from '../../../../src/delivery/queue/sharing.ts';
import type { Timers } from '../../../../src/runtime/timers.ts';

test('a node that has just left lanes to other nodes asks for no lanes for 500 ms', () => {
  let now = 1_000;
  let asked = 0;
  const timers = { now: () => now } as Timers;
  const sharing = createSharing({ timers, otherNodes: { askForShare: () => asked++, tellOfLanes() {} } });
  sharing.begin();
  now += 499;
  sharing.ask();
  expect(asked).toBe(0);
  now += 1;
  sharing.ask();
  expect(asked).toBe(1);
});
