import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RetentionPass, startRetention } from '../../src/delivery/retention.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import type { Queries, Storage } from '../../src/storage/port.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Retention on a database where either every step or no step leaves more to do. */
async function start(goesOn: boolean) {
  const pass: RetentionPass = { before: 0, idsBefore: 0, phase: 'deliveries', after: 'whd_1' };
  let steps = 0;
  const storage: Pick<Storage, 'write'> = {
    async write<Result>(_work: (queries: Queries) => Promise<Result>) {
      steps++;
      return (goesOn ? pass : undefined) as Result;
    },
  };
  const retention = startRetention({
    storage: storage as Storage,
    clock: { nowIn: () => 0 },
    logger: createLogger('silent'),
    retentionMs: 1,
  });
  await vi.advanceTimersByTimeAsync(0);
  return { steps: () => steps, retention, [Symbol.asyncDispose]: () => retention[Symbol.asyncDispose]() };
}

describe('Retention', () => {
  it('pauses between two steps while there is more to remove', async () => {
    await using started = await start(true);
    await vi.advanceTimersByTimeAsync(49);
    expect(started.steps()).toBe(1);
  });

  it('starts the next step after 50 ms', async () => {
    await using started = await start(true);
    await vi.advanceTimersByTimeAsync(50);
    expect(started.steps()).toBe(2);
  });

  it('does not look again for a minute if nothing is left to remove, unless a pass is requested', async () => {
    await using started = await start(false);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(started.steps()).toBe(1);
    started.retention.requestPass();
    expect(started.steps()).toBe(2);
  });

  it('looks again after a minute', async () => {
    await using started = await start(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started.steps()).toBe(2);
  });
});
