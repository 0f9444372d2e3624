import { setTimeout as delay } from 'node:timers/promises';
import type { SameData } from '../storage/checked-writes.ts';
import { DataReplacedError, type Storage, StorageUnavailableError } from '../storage/port.ts';
import { findSetting } from '../storage/statements/settings.ts';
import { together } from '../storage/together.ts';
import { waitForWipe } from '../storage/wipe.ts';
import type { KnownClock } from './known-clock.ts';

interface CurrentDataOptions {
  storage: Storage;
  known: KnownClock;
  isShared: boolean;
  /** When the database last responded on the clock lock's connection. `undefined` while this node has no clock lock. */
  lockHeardAt(): number | undefined;
  /** Reads the clock from the database. */
  read(): Promise<void>;
  /** Reads the clock unless this node has the lock. */
  hear(): Promise<void>;
}

interface CurrentOptions {
  sameData?: SameData;
  triesMax?: number | undefined;
  writes?: boolean;
}

/** Each node reads the clock once a second. A node whose last read is older than 5 s was suspended or disconnected. */
const CURRENT_MS = 5_000;
const NOT_HEARD = 'This server is moving the clock, but the database has not responded for several seconds';

/**
 * If the data is replaced during a request, the request runs again, up to `TRIES` times in all. The first wait between
 * two runs is `TRY_AGAIN_MS`. Each later wait is four times as long as the previous wait.
 */
const TRIES = 5;
const TRY_AGAIN_MS = 5;

/** Makes a request use only the current clock, and never mix data from before and after a reset or restore. */
export function createCurrentData({ storage, known, isShared, lockHeardAt, read, hear }: CurrentDataOptions) {
  /**
   * Resolves when this node's clock is current. After a suspension or a disconnection, reads the clock again: another
   * node may have set the clock back, and this node must not accept data with a time in the future.
   *
   * @throws {@link StorageUnavailableError} if this node cannot tell whether it still has the lock.
   */
  async function ensureCurrent(): Promise<void> {
    const heardAt = lockHeardAt();
    if (!isShared || performance.now() - Math.max(known.at(), heardAt ?? 0) <= CURRENT_MS) return;
    if (heardAt !== undefined) throw new StorageUnavailableError(NOT_HEARD, { outcome: 'unchanged' });
    await read();
  }

  /**
   * Returns two checks, which throw if the data has been replaced since this call. Create both before you read a
   * caller's rights, and before you choose the times and ids of a write. Otherwise, after a reset, a caller with rights
   * in the old data could use the data of another tenant, or a delivery could get a due time from the old clock.
   */
  function expectSameData(): SameData {
    const expected = known.reset();
    const check = (reset: string | undefined) => {
      if (reset !== expected) throw new DataReplacedError();
    };
    return {
      async checkWrite(queries) {
        const [, reset] = await together([waitForWipe(queries), findSetting(queries, 'reset')]);
        check(reset);
      },
      checkRead: async () => check(await storage.read((queries) => findSetting(queries, 'reset'))),
    };
  }

  return {
    expectSameData,
    /**
     * Handles a request while this node's clock is current. Repeats the request if the data was replaced meanwhile.
     *
     * @param handle - Handles the request once. `handle` gets checks that throw if the data has been replaced. On the
     *   first try, `handle` gets `sameData` if the caller passed it. Each later try gets new checks.
     * @param options - `triesMax`: use 1 if the request's body is a stream, which cannot be read again. `writes`:
     *   whether the request may create rows, whose ids must be above the ids of the other nodes.
     * @throws {@link StorageUnavailableError} if this node cannot tell whether its clock is current.
     */
    async whileCurrent<Result>(
      handle: (sameData: SameData) => Promise<Result>,
      { sameData, triesMax = TRIES, writes = false }: CurrentOptions = {},
    ): Promise<Result> {
      await ensureCurrent();
      if (writes) await known.followOtherIds();
      for (let tries = 1; ; tries++) {
        try {
          return await handle((tries === 1 && sameData) || expectSameData());
        } catch (error) {
          if (!(error instanceof DataReplacedError) || tries === triesMax) throw error;
          // Wait before the next try. A node that replaces the data uses the new clock only when its commit is on disk.
          // Until then, another try would also fail.
          await delay(TRY_AGAIN_MS * 4 ** (tries - 1));
          await hear();
        }
      }
    },
  };
}
