import { expect, test } from 'vitest';
import { createReplaceData } from '../../../src/state/replace-data.ts';
import { VirtualClock } from '../../../src/time/clock.ts';

test('A reset fails if the results of attempts cannot be stored, and the work continues', async () => {
  const calls: string[] = [];
  const evaluator = { pause: async () => void calls.push('evaluator pauses'), resume: () => calls.push('evaluator') };
  const engine = {
    pause: () => new Promise<void>(() => calls.push('engine pauses')),
    resume: () => calls.push('engine'),
    isHealthy: () => false,
  };
  const replace = createReplaceData({
    work: [evaluator, engine],
    clock: new VirtualClock(() => 0),
    sharedClock: {
      alone: (work) => work({ signal: undefined, confirm: async () => {}, set: async () => new Map() }),
      wasReset() {},
    },
    unhealthyMaxMs: 50,
  } as Partial<Parameters<typeof createReplaceData>[0]> as Parameters<typeof createReplaceData>[0]);
  await expect(replace.reset({} as never)).rejects.toMatchObject({
    name: 'StorageUnavailableError',
    outcome: 'unchanged',
  });
  expect(calls).toEqual(['evaluator pauses', 'engine pauses', 'engine', 'evaluator']);
});
