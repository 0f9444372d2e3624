import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/runtime/logger.ts';
import { createSharedTime } from '../../../src/time/clock-skew.ts';

const NOW = Date.parse('2031-03-01T00:00:00.000Z');

afterEach(() => vi.restoreAllMocks());

/** The difference between the agreed time and the machine's, if the database's clock differs from it by `offMs`. */
async function correctionFor(offMs: number, tookMs = 0): Promise<number> {
  let own = NOW;
  const read = async () => {
    own += tookMs;
    return NOW + tookMs / 2 + offMs;
  };
  const shared = await createSharedTime(
    { read } as never,
    createLogger('silent'),
    () => own,
    () => own,
  );
  return shared.now() - own;
}

describe('The clock that the servers of a fleet agree on', () => {
  it.each([1_000, -1_000])('is the machine’s clock if the database’s clock differs by %i ms', async (offMs) => {
    expect(await correctionFor(offMs)).toBe(0);
  });

  it.each([1_001, -1_001])('is the database’s clock if the machine’s clock differs by %i ms', async (offMs) => {
    expect(await correctionFor(offMs)).toBe(offMs);
  });

  it('is not corrected by the duration of the measurement itself', async () => {
    expect(await correctionFor(1_400, 400)).toBe(0);
    expect(await correctionFor(1_401, 400)).toBe(1_401);
  });

  it('is logged once as being off, and measured again each time', async () => {
    let offMs = 5_000;
    const logger = createLogger('silent');
    const warn = vi.spyOn(logger, 'warn');
    const shared = await createSharedTime({ read: async () => NOW + offMs } as never, logger, () => NOW);
    offMs = 6_000;
    await shared.measure();
    expect(shared.now()).toBe(NOW + 6_000);
    expect(warn).toHaveBeenCalledOnce();
    offMs = 1_000;
    await shared.measure();
    expect(shared.now()).toBe(NOW);
  });

  it.each([
    ['this machine’s clock was set forward', 86_400_000, 0],
    ['this machine’s clock was set back', -86_400_000, 0],
    ['this machine was suspended', 86_400_000, 86_400_000],
  ])('does not jump until it is measured again: %s', async (_name, ownJump, databaseJump) => {
    let [own, elapsed, database] = [NOW, 0, NOW];
    const read = vi.fn(async () => database);
    const shared = await createSharedTime(
      { read } as never,
      createLogger('silent'),
      () => own,
      () => elapsed,
    );
    [own, elapsed, database] = [own + ownJump + 10, elapsed + 10, database + databaseJump + 10];
    expect(shared.now()).toBe(NOW + 10);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.waitFor(() => expect(shared.now()).toBe(database));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('continues without the jump while the database does not respond', async () => {
    let [own, elapsed, isDown] = [NOW, 0, false];
    const read = async () => {
      if (isDown) throw new Error('The database is down.');
      return NOW;
    };
    const shared = await createSharedTime(
      { read } as never,
      createLogger('silent'),
      () => own,
      () => elapsed,
    );
    [own, elapsed, isDown] = [own + 86_400_000, 5_000, true];
    expect(shared.now()).toBe(NOW + 5_000);
    await expect(shared.measure()).rejects.toThrow('The database is down.');
    expect(shared.now()).toBe(NOW + 5_000);
  });
});
