import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

// `expect.poll` takes its limit from Vitest's configuration. `vi.waitFor` and `vi.waitUntil` give up after one second,
// and no setting changes that. Here they get the limit that all tests share.

const { waitFor, waitUntil } = vi;

vi.waitFor = (callback, options) => waitFor(callback, withPatience(options));
vi.waitUntil = (callback, options) => waitUntil(callback, withPatience(options));

const withPatience = (options: Parameters<typeof waitFor>[1] = {}) =>
  typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options };
