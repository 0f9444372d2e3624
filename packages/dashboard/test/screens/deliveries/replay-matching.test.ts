import { expect, test } from 'vitest';
import { type ReplayProgress, replayAll } from '../../../src/screens/deliveries/replay-matching.ts';

test('a bulk replay reads the list first, replays 4 at a time, lists refusals and can be stopped', async () => {
  const progress: ReplayProgress[] = [];
  let running = 0;
  let most = 0;
  async function* matching() {
    for (let index = 0; index < 20; index++) yield { id: String(index) };
  }
  await replayAll({
    matching: matching(),
    replay: async ({ id }) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      if (id === '7') throw new Error('inactive');
    },
    signal: new AbortController().signal,
    onProgress: (one) => progress.push(one),
    describe: (error) => (error as Error).message,
  });
  expect(most).toBe(4);
  expect(progress.at(-1)).toEqual({
    found: 20,
    replayed: 19,
    refused: [{ id: '7', reason: 'inactive' }],
    isDone: true,
  });

  const stop = new AbortController();
  let made = 0;
  await replayAll({
    matching: matching(),
    replay: async () => {
      if (++made === 3) stop.abort();
    },
    signal: stop.signal,
    onProgress: (one) => progress.push(one),
    describe: String,
  });
  expect(made).toBeLessThan(8);
});
