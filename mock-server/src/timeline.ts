import type { Timeline } from './http/services.ts';
import type { Instant, VirtualClock } from './runtime/clock.ts';
import type { Storage } from './storage/port.ts';
import { saveSetting } from './storage/statements/save-setting.ts';

/** What has work at certain times: the delivery engine and, in time, the evaluation schedule. */
interface Worker {
  pause(): Promise<void>;
  resume(): void;
  runDue(): Promise<number>;
  nextDueAt(): Promise<Instant | undefined>;
  status(): Promise<{ pending: number; inFlight: number; nextDueAt: Instant | undefined }>;
  whenIdle(signal: AbortSignal): Promise<boolean>;
}

/** Moves virtual time step by step: to each instant at which something falls due, and only from there to the next. */
export function createTimeline(clock: VirtualClock, storage: Storage, deliveries: Worker): Timeline {
  // Two calls at once would move the same clock; the second waits for the first.
  let last: Promise<unknown> = Promise.resolve();
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const save = () => storage.write((queries) => saveSetting(queries, 'clock', clock.state));

  async function advanceTo(target: Instant) {
    await deliveries.pause();
    let attempts = 0;
    try {
      for (;;) {
        const due = await deliveries.nextDueAt();
        if (due === undefined || due > target) break;
        clock.hold(Math.max(due, clock.now()));
        const made = await deliveries.runDue();
        attempts += made;
        // Work that somebody else holds stays due; it is left to them.
        if (made === 0 && (await deliveries.nextDueAt()) === due) break;
      }
      clock.moveTo(Math.max(target, clock.now()));
      await save();
    } finally {
      clock.release();
      deliveries.resume();
    }
    return { attempts, evaluations: 0 };
  }

  return {
    advanceTo: (target) => alone(() => advanceTo(target)),
    freeze: () =>
      alone(async () => {
        clock.freeze();
        await save();
      }),
    reset: () =>
      alone(async () => {
        clock.reset();
        await save();
      }),
    async settle(timeoutMs) {
      const settled = await deliveries.whenIdle(AbortSignal.timeout(timeoutMs));
      return { settled, ...(await deliveries.status()) };
    },
  };
}
