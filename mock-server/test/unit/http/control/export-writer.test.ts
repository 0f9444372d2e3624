import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExportWriter, ReaderStalledError } from '../../../../src/http/control/export-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const KIB = 1_024;

/** Writes pieces of 64 KiB to a reader that takes each after a time. @returns how many it took, at most 1,000. */
async function takenAt(msPerPiece: number): Promise<number> {
  const write = createExportWriter({ write: () => new Promise((resolve) => setTimeout(resolve, msPerPiece)) });
  for (let taken = 0; taken < 1_000; taken += 1) {
    const written = write(new Uint8Array(64 * KIB)).then(
      () => true,
      (error: unknown) => error instanceof ReaderStalledError && false,
    );
    await vi.advanceTimersByTimeAsync(Math.min(msPerPiece, 10_000));
    if (!(await written)) return taken;
  }
  return 1_000;
}

test('a reader that takes 128 KiB per second is never cut off', async () => {
  expect(await takenAt(500)).toBe(1_000);
});

test('a reader that takes less is cut off once it has lost 10 s', async () => {
  // It loses half a second with each piece. After 18 pieces, 1 s is left, and the next piece takes as long.
  expect(await takenAt(1_000)).toBe(18);
});

test('a reader that takes nothing is cut off after 10 s', async () => {
  expect(await takenAt(10_001)).toBe(0);
});
