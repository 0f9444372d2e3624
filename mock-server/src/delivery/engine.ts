import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type { Instant } from '../domain/instant.ts';
import type { MasterKey } from '../domain/master-key.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import { processTimers } from '../runtime/timers.ts';
import { countDueDeliveries, findNextDueAfter, findNextRetryAfter } from '../storage/delivery/due.ts';
import { endSessions } from '../storage/delivery/node-sessions.ts';
import { isPostgres } from '../storage/dialect.ts';
import type { ReadOnlyClock } from '../time/clock.ts';
import { createDispatcher } from './dispatcher.ts';
import type { DispatcherOptions } from './dispatcher-parts.ts';
import { readStatus } from './engine-status.ts';
import { type DeliveryObserver, NO_OBSERVER } from './observer.ts';
import { type RetentionOptions, startRetention } from './retention.ts';
import { createSender, type SenderOptions } from './sending/sender.ts';
import { createSigningKeys } from './sending/signing-keys.ts';

type ForDispatcher =
  | 'ids'
  | 'concurrency'
  | 'endpointConcurrency'
  | 'otherNodes'
  | 'readClock'
  | 'followOtherIds'
  | 'sendsEmails';

export interface DeliveryEngineOptions
  extends SenderOptions,
    Omit<RetentionOptions, 'retentionMs'>,
    Pick<DispatcherOptions, ForDispatcher> {
  clock: ReadOnlyClock;
  /** Default: nothing is deleted. */
  retentionMs?: number | undefined;
  masterKey: MasterKey;
  retryDelaysMs: readonly number[];
  /** The maximum random time that is added to a delay, as a percentage of the delay. */
  retryJitterPercent: number;
  /** Returns a random fraction for the jitter. Default: `Math.random`. */
  random?: (() => number) | undefined;
  observer?: DeliveryObserver | undefined;
  /** Default: true. */
  delivers?: boolean | undefined;
  /** Closes the database connections if closing the engine takes too long because the database does not respond. */
  cutDatabase?: (() => void) | undefined;
  /** The time limit for one attempt. Default: 10 s. */
  timeoutMs?: number | undefined;
}

export type DeliveryEngine = Awaited<ReturnType<typeof startDeliveryEngine>>;

const CLOSE_MARGIN_MS = 2_000;

export async function startDeliveryEngine(options: DeliveryEngineOptions) {
  const { storage, clock, logger, timeoutMs = DELIVERY_TIMEOUT_MS, delivers = true } = options;
  const { observer = NO_OBSERVER, random = Math.random, retentionMs } = options;
  const { send, destroy } = createSender(options, timeoutMs);
  const dispatcher = createDispatcher({
    ...options,
    timers: processTimers,
    timeoutMs,
    observer,
    schedule: { delaysMs: options.retryDelaysMs, jitterPercent: options.retryJitterPercent, random },
    signingKeys: createSigningKeys(options.masterKey),
    send,
  });
  await storage.write(async (queries) => {
    if (!isPostgres(queries)) await endSessions(queries);
  });

  const retention = delivers && retentionMs !== undefined ? startRetention({ ...options, retentionMs }) : undefined;

  let paused = false;
  let isClosing = false;
  let closed: Promise<void> | undefined;
  const { setTaking, until, lanesHeld, leave, stop, ...forCallers } = dispatcher;
  const update = () => setTaking(delivers && !isClosing && !paused);

  async function closeNow(): Promise<void> {
    isClosing = true;
    // From now on, each take (`queue/take.ts`) releases the lanes that have no deliveries in hand.
    update();
    const timeIsUp = AbortSignal.timeout(timeoutMs + CLOSE_MARGIN_MS);
    timeIsUp.addEventListener('abort', giveUp);
    const isEmpty = until(({ isEmpty }) => isEmpty, timeIsUp);
    await Promise.all([retention?.[Symbol.asyncDispose](), isEmpty]);
    if (await isEmpty) await leave();
    await stop();
    timeIsUp.removeEventListener('abort', giveUp);
    await destroy();
  }

  function giveUp(): void {
    const left = { lanes: lanesHeld(), deliveries: dispatcher.inFlight() };
    if (left.lanes === 0 && left.deliveries === 0)
      logger.warn('closed while the database did not respond; no work was left');
    else {
      logger.error(
        left,
        'the server closed before it had stored all results and released all lanes; the lanes become free when the session of this server ends, and the deliveries will be attempted again',
      );
    }
    void stop();
    options.cutDatabase?.();
  }

  /** Closes the engine. The wait for attempts takes at most one attempt's time limit, plus 2 s for the database. */
  function close(): Promise<void> {
    closed ??= closeNow();
    return closed;
  }

  update();
  return {
    ...forCallers,
    /** Call this after the clock was moved: more deliveries may now be due, or old enough to delete. */
    clockMoved(): void {
      dispatcher.wake();
      // Do not delete anything during a move: this function is called again when the move ends.
      if (!clock.state.moving) retention?.requestPass();
    },
    /**
     * Stops making attempts. Resolves when all results are stored and every lane is released.
     *
     * @throws {@link ClosingError} if the engine is closing.
     */
    async pause(): Promise<void> {
      paused = true;
      update();
      if (!(await until(({ isEmpty }) => isEmpty)) || isClosing) throw new ClosingError();
    },
    resume(): void {
      paused = false;
      update();
      // The clock may have changed during the pause, so more deliveries may be old enough to delete.
      retention?.requestPass();
    },
    /** Whether a delivery on any node is due before `at`, or exactly at `at` with an id up to `upToId`. */
    isDue: async (at: Instant, upToId: string) =>
      (await storage.read((queries) => countDueDeliveries(queries, { at, upToId, limit: 1 }))) > 0,
    /**
     * Finds when a delivery is next due after `at`. The result can be up to 60 s too early. With `upToId`, considers
     * only retries of deliveries with an id up to `upToId`.
     */
    nextDueAfter: (at: Instant, upToId?: string) =>
      storage.read((queries) =>
        upToId === undefined ? findNextDueAfter(queries, at) : findNextRetryAfter(queries, { now: at, upToId }),
      ),
    status: () => readStatus(options, dispatcher.inFlight),
    /** Resolves to true when no delivery is due or in flight, and to false if the signal is aborted first. */
    whenIdle: (signal: AbortSignal) => until(({ isEmpty, isDue }) => isEmpty && !isDue, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}
