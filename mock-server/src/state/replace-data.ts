import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import { leadOf } from '../domain/id-time.ts';
import { createHealthWatch, type Watched } from '../runtime/health-watch.ts';
import type { Ids } from '../runtime/ids.ts';
import { followLatestId, raiseIdLead } from '../storage/changes/ids.ts';
import { type Queries, type Storage, StorageUnavailableError } from '../storage/port.ts';
import type { IssuedCredential } from '../storage/seed/issued-credential.ts';
import type { Seed } from '../storage/seed/schema.ts';
import { findSetting, saveSetting } from '../storage/statements/settings.ts';
import { hasSnapshot } from '../storage/statements/snapshots.ts';
import { lockStart } from '../storage/statements/start.ts';
import { wipe } from '../storage/wipe.ts';
import type { VirtualClock } from '../time/clock.ts';
import type { SharedClock } from '../time/shared-clock.ts';
import { restoreSnapshot, saveSnapshot } from '../transfer/snapshots.ts';

interface PausedWork extends Watched {
  pause(): Promise<void>;
  resume(): void;
}

interface ReplaceDataOptions {
  storage: Storage;
  clock: VirtualClock;
  ids: Ids;
  /** The kinds of work to pause, in this order, while the rows are replaced. */
  work: readonly PausedWork[];
  sharedClock: Pick<SharedClock, 'alone' | 'wasReset'>;
  settings: { reload(): Promise<void> };
  data: {
    startClock(queries: Queries, seed: Seed): Promise<void>;
    apply(queries: Queries, seed: Seed): Promise<IssuedCredential[]>;
  };
  onReplaced(): Promise<void>;
  unhealthyMaxMs?: number;
}

export type ReplaceData = ReturnType<typeof createReplaceData>;

/** A reset or a restore replaces all rows in one transaction. Then every node reloads what it keeps in memory. */
export function createReplaceData(options: ReplaceDataOptions) {
  const { storage, clock, ids, work, sharedClock, settings, data } = options;

  /** `change` returns false if it changed nothing. */
  const replaceAll = <Result>(change: (queries: Queries, was: ClockState) => Promise<Result>, caller?: AbortSignal) =>
    sharedClock.alone(async (mover) => {
      await pauseAll(work, createHealthWatch(work, options.unhealthyMaxMs));
      const before = { state: clock.state, latestId: ids.nextBare() };
      const name = randomUUID();
      try {
        const result = await storage.write(async (queries) => {
          await lockStart(queries);
          const changed = await change(queries, before.state);
          if (changed !== false) await saveSetting(queries, 'reset', name);
          // Make sure that no other node took the lock on the clock while this process waited or was suspended.
          await mover.confirm();
          return changed;
        });
        if (result === false) return result;
        sharedClock.wasReset(name);
        await options.onReplaced();
        return result;
      } catch (error) {
        if (await tookEffect(error, name)) sharedClock.wasReset(name);
        else {
          clock.restore(before.state);
          ids.restart(before.latestId);
        }
        throw error;
      } finally {
        for (const one of [...work].reverse()) one.resume();
        // Reload even after an error, because the rows may have been replaced.
        await settings.reload();
      }
    }, caller);

  /** Returns whether the rows were replaced despite the error: only the reply to the commit, or the flush, failed. */
  async function tookEffect(error: unknown, name: string): Promise<boolean> {
    if (!(error instanceof StorageUnavailableError) || error.outcome !== 'unknown') return false;
    return (await storage.read((queries) => findSetting(queries, 'reset')).catch(() => undefined)) === name;
  }

  return {
    reset: (seed: Seed, caller?: AbortSignal): Promise<IssuedCredential[]> =>
      replaceAll(async (queries, before) => {
        await wipe(queries);
        await data.startClock(queries, seed);
        await raiseIdLead(queries, clock.nowIn(before) - clock.now());
        ids.restart();
        const credentials = await data.apply(queries, seed);
        await followLatestId(queries, { ids, clock });
        return credentials;
      }, caller),
    save: (name: string) => storage.write((queries) => saveSnapshot(queries, name, clock.now())),
    /** Restores a snapshot. A running clock gets the snapshot's offset from real time, not the time of the snapshot. */
    async restore(name: string, caller?: AbortSignal): Promise<boolean> {
      // If there is no snapshot, do not interrupt work.
      if (!(await storage.read((queries) => hasSnapshot(queries, name)))) return false;
      return await replaceAll(async (queries) => {
        if (!(await restoreSnapshot(queries, name))) return false;
        const idsAfter = ids.nextBare();
        const state = { ...((await findSetting(queries, 'clock')) ?? REAL_TIME), idsAfter };
        await saveSetting(queries, 'clock', state);
        clock.restore(state);
        await raiseIdLead(queries, leadOf(idsAfter, clock.now()));
        // No id may occur twice. So do not restart the sequence of ids, but continue it above the restored ids.
        await followLatestId(queries, { ids, clock });
        return true;
      }, caller);
    },
  };
}

const HEALTH_INTERVAL_MS = 50;

/** Pauses all parts in order. If the results of finished work cannot be stored, resumes all parts and throws. */
async function pauseAll(work: readonly PausedWork[], mayContinue: () => boolean): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  async function pauseInOrder(): Promise<void> {
    for (const one of work) if (!signal.aborted) await one.pause();
  }
  async function failIfUnhealthy(): Promise<void> {
    while (mayContinue()) await delay(HEALTH_INTERVAL_MS, undefined, { signal, ref: false });
    throw new StorageUnavailableError('The results of finished attempts cannot be stored in the database.');
  }
  try {
    await Promise.race([pauseInOrder(), failIfUnhealthy()]);
  } catch (error) {
    for (const one of [...work].reverse()) one.resume();
    throw error;
  } finally {
    waiting.abort();
  }
}
