import { afterEach, expect, test, vi } from 'vitest';
import { startProgress } from '../../../../src/cli/output/progress.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('a terminal that cannot move its cursor gets no progress bar', async () => {
  vi.stubEnv('TERM', 'dumb');
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const progress = await startProgress({ interactive: true }, 'Replaying', 10);
  progress.update(5);
  progress[Symbol.dispose]();
  expect(write).not.toHaveBeenCalled();
});
