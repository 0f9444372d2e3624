import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

// `expect.poll` takes its limit from Vitest's configuration, but `vi.waitFor` and `vi.waitUntil` give up after one
// second. The two wrappers below use the limit that all tests share. No test may set a shorter limit.

const { waitFor, waitUntil } = vi;

vi.waitFor = (callback, options) => waitFor(callback, withPatience(options));
vi.waitUntil = (callback, options) => waitUntil(callback, withPatience(options));

function withPatience(options: Parameters<typeof waitFor>[1] = {}) {
  const { timeout = PATIENCE_MS, ...rest } = typeof options === 'number' ? { timeout: options } : options;
  if (timeout < PATIENCE_MS)
    throw new RangeError(`A test that waits ${timeout} ms fails on a busy machine. Set no limit.`);
  return { timeout, ...rest };
}
