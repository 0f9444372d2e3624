import { expect, test } from 'vitest';
import { createPauses } from '../../../src/runtime/pauses.ts';

/** Counts the passes of the event loop while statements of these lengths, in milliseconds, run. */
async function passesDuring(...statementsMs: number[]): Promise<number> {
  let now = 0;
  let passes = 0;
  let isDone = false;
  const pauses = createPauses(() => now);
  const count = () => {
    passes++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  pauses.passBegan();
  for (const lengthMs of statementsMs) {
    await pauses.pauseIfLong();
    now += lengthMs;
  }
  isDone = true;
  return passes;
}

test('statements that take 5 ms in total let the event loop run before the next one', async () => {
  expect(await passesDuring(5, 1)).toBe(1);
  expect(await passesDuring(1, 1, 1, 1, 1, 1)).toBe(1);
  expect(await passesDuring(9, 9, 9)).toBe(2);
});

test('shorter statements do not wait', async () => {
  expect(await passesDuring(4.9, 1)).toBe(0);
  expect(await passesDuring(1, 1, 1, 1)).toBe(0);
});

test('work that shares its pauses continues in turn, one piece in each pass of the event loop', async () => {
  let now = 0;
  const pauses = createPauses(() => now);
  const steps: string[] = [];
  const work = async (name: string) => {
    for (let step = 0; step < 2; step++) {
      await pauses.pauseIfLong();
      steps.push(name);
      now += 5;
    }
  };
  now = 5;
  let isDone = false;
  const both = Promise.all([work('a'), work('b'), work('c')]).then(() => {
    isDone = true;
  });
  const perPass: string[] = [];
  while (!isDone) {
    await new Promise(setImmediate);
    perPass.push(steps.splice(0).join());
  }
  await both;
  expect(perPass.filter(Boolean)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});
