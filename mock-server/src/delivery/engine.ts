import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type { Instant } from '../domain/instant.ts';
import type { MasterKey } from '../domain/master-key.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import { processTimers } from '../runtime/timers.ts';
import { endSessions } from '../storage/delivery/sessions.ts';
import { isPostgres } from '../storage/dialect.ts';
import { findNextDueAfter, findNextRetryAfter, isDueUpTo } from '../storage/statements/queue/due.ts';
import type { VirtualClock } from '../time/clock.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts';
import { type DeliveryObserver, NO_OBSERVER } from './observer.ts';
import { type RetentionOptions, startRetention } from './queue/retention.ts';
import { createSender, type SenderOptions } from './sending/sender.ts';
import { createSigningKeys } from './sending/signing-keys.ts';
import { type DeliveryEngineStatus, readStatus } from './status.ts';

export { DEFAULT_CONCURRENCY, DEFAULT_ENDPOINT_CONCURRENCY } from './limits.ts';
export type { DeliveryObserver } from './observer.ts';

/** The options that the engine passes on to its dispatcher. */
type ForDispatcher = 'ids' | 'concurrency' | 'endpointConcurrency' | 'otherNodes' | 'sendsEmails';

/** The dependencies and settings of {@link startDeliveryEngine}. */
export interface DeliveryEngineOptions extends SenderOptions, RetentionOptions, Pick<DispatcherOptions, ForDispatcher> {
  clock: VirtualClock;
  masterKey: MasterKey;
  /** The delays before the second and each later attempt. */
  retryDelaysMs: readonly number[];
  /** The maximum random addition to a delay, in percent of the delay. */
  retryJitterPercent: number;
  /** Returns a random fraction for the jitter. */
  random?: (() => number) | undefined;
  observer?: DeliveryObserver | undefined;
  /** Whether this node makes attempts. Default: true. */
  delivers?: boolean | undefined;
  /** Closes the connections to a database that does not respond. Called when the time limit for closing has passed. */
  cutDatabase?: (() => void) | undefined;
  /** The time limit for one attempt. Default: 10 s. Tests may shorten this limit. */
  timeoutMs?: number | undefined;
}

/** The dispatcher's methods that only the engine itself uses. */
type OfDispatcher = 'setTaking' | 'until' | 'lanesHeld' | 'leave' | 'stop';

/** A running delivery engine. */
export interface DeliveryEngine extends AsyncDisposable, Omit<Dispatcher, OfDispatcher> {
  /** Call this when the clock has been moved: more deliveries may now be due, or may be old enough to delete. */
  clockMoved(): void;
  /**
   * Stops making attempts. Resolves when all results are stored and every lane is released.
   *
   * @throws {@link ClosingError} once the engine is closing.
   */
  pause(): Promise<void>;
  /** Starts making attempts again. */
  resume(): void;
  /**
   * Whether a delivery is due before `at`, or is due exactly at `at` and has an id up to `upToId`. Deliveries that are
   * in flight on any node also count.
   */
  isDue(at: Instant, upToId: string): Promise<boolean>;
  /**
   * Returns the first time after `at` at which a delivery is due. With `upToId`, only retries of deliveries with an id
   * up to `upToId` count.
   */
  nextDueAfter(at: Instant, upToId?: string): Promise<Instant | undefined>;
  status(): Promise<DeliveryEngineStatus>;
  /** Resolves to true once no delivery is due or in flight. Resolves to false if the signal is aborted first. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /**
   * Claims no more lanes, waits for attempts in flight, and releases all lanes. The engine waits at most as long as the
   * time limit of one attempt, plus 2 s for the database. After that, the engine gives up, and logs how many lanes and
   * deliveries are left.
   */
  close(): Promise<void>;
}

/** The extra time for storing results when the engine closes, in addition to the time limit of one attempt. */
const CLOSE_MARGIN_MS = 2_000;

/**
 * Starts the engine, which makes all attempts that are due, including attempts that an earlier process had in flight.
 */
export async function startDeliveryEngine(options: DeliveryEngineOptions): Promise<DeliveryEngine> {
  const { storage, clock, timeoutMs = DELIVERY_TIMEOUT_MS, delivers = true } = options;
  const { observer = NO_OBSERVER, random = Math.random } = options;
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

  const retention = delivers ? startRetention(options) : undefined;

  let paused = false;
  let isClosing = false;
  let closed: Promise<void> | undefined;
  const update = () => dispatcher.setTaking(delivers && !isClosing && !paused);

  async function close(): Promise<void> {
    isClosing = true;
    update();
    const timeIsUp = AbortSignal.timeout(timeoutMs + CLOSE_MARGIN_MS);
    const giveUp = () => giveUpOn(dispatcher, options);
    timeIsUp.addEventListener('abort', giveUp);
    const isEmpty = dispatcher.until(({ isEmpty }) => isEmpty, timeIsUp);
    await Promise.all([retention?.[Symbol.asyncDispose](), isEmpty]);
    if (await isEmpty) await dispatcher.leave();
    await dispatcher.stop();
    timeIsUp.removeEventListener('abort', giveUp);
    await destroy();
  }

  const engine: DeliveryEngine = {
    ...dispatcher,
    clockMoved() {
      dispatcher.wake();
      // The clock moves only for a short time, so deleting old deliveries can wait until the clock has stopped moving.
      if (!clock.state.moving) retention?.look();
    },
    async pause() {
      paused = true;
      update();
      if (!(await dispatcher.until(({ isEmpty }) => isEmpty)) || isClosing) throw new ClosingError();
    },
    resume() {
      paused = false;
      update();
      // The clock may have changed during the pause, so look for old deliveries again.
      retention?.look();
    },
    isDue: (at, upToId) => storage.read((queries) => isDueUpTo(queries, { at, upToId })),
    nextDueAfter: (at, upToId) =>
      storage.read((queries) =>
        upToId === undefined ? findNextDueAfter(queries, at) : findNextRetryAfter(queries, { now: at, upToId }),
      ),
    status: () => readStatus(options, dispatcher.inFlight),
    whenIdle: (signal) => dispatcher.until(({ isEmpty, isDue }) => isEmpty && !isDue, signal),
    close() {
      closed ??= close();
      return closed;
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
  update();
  return engine;
}

/** Stops the dispatcher after the time limit for closing, and logs how many lanes and deliveries are left. */
function giveUpOn(dispatcher: Dispatcher, { logger, cutDatabase }: DeliveryEngineOptions): void {
  const left = { lanes: dispatcher.lanesHeld(), deliveries: dispatcher.inFlight() };
  if (left.lanes === 0 && left.deliveries === 0)
    logger.warn('closed while the database did not respond; no work was left');
  else {
    logger.error(
      left,
      'closed before everything was stored: the lanes become free when the lease of this server ends, and the deliveries will be attempted again',
    );
  }
  void dispatcher.stop();
  cutDatabase?.();
}
