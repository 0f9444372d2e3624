import { expect, test } from 'vitest';
import { createHandOver } from '../../../../src/delivery/queue/hand-over.ts';
import type { Timers } from '../../../../src/runtime/timers.ts';

test('a node that has just left lanes to other nodes asks for no lanes for 500 ms', () => {
  let now = 1_000;
  let asked = 0;
  const timers = { now: () => now } as Timers;
  const handOver = createHandOver({ timers, otherNodes: { askForLanes: () => asked++, tellOfLanes() {} } });
  handOver.begin();
  now += 499;
  handOver.ask();
  expect(asked).toBe(0);
  now += 1;
  handOver.ask();
  expect(asked).toBe(1);
});
