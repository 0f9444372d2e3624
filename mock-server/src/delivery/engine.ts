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

/** What the engine passes on to its dispatcher. */
type ForDispatcher = 'ids' | 'concurrency' | 'endpointConcurrency' | 'otherNodes' | 'sendsEmails';

/** The dependencies and settings that {@link startDeliveryEngine} takes. */
export interface DeliveryEngineOptions extends SenderOptions, RetentionOptions, Pick<DispatcherOptions, ForDispatcher> {
  clock: VirtualClock;
  masterKey: MasterKey;
  /** The delays before the second and each later attempt. */
  retryDelaysMs: readonly number[];
  /** The largest random addition to a delay, in percent of the delay. */
  retryJitterPercent: number;
  /** Returns a random fraction for the jitter. */
  random?: (() => number) | undefined;
  observer?: DeliveryObserver | undefined;
  /** Whether this node makes attempts. Default: true. */
  delivers?: boolean | undefined;
  /** Closes the connections to a database that does not respond, once the time to close is used up. */
  cutDatabase?: (() => void) | undefined;
  /** Time limit for one attempt. Default: 10 s. Tests may shorten it. */
  timeoutMs?: number | undefined;
}

/** What the engine alone uses of its dispatcher. */
type OfDispatcher = 'setTaking' | 'until' | 'lanesHeld' | 'leave' | 'stop';

/** A running engine. */
export interface DeliveryEngine extends AsyncDisposable, Omit<Dispatcher, OfDispatcher> {
  /** The clock was moved. Other work may be due, and other deliveries may be old enough to delete. */
  clockMoved(): void;
  /**
   * Stops making attempts. Resolves when everything in flight is written back and every lane is released.
   *
   * @throws {@link ClosingError} once the engine is closing.
   */
  pause(): Promise<void>;
  /** Starts making attempts again. */
  resume(): void;
  /**
   * Whether a delivery is due before `at`, or at `at` with an id up to `upToId`. Includes deliveries in flight on any
   * node.
   */
  isDue(at: Instant, upToId: string): Promise<boolean>;
  /**
   * When the next delivery after `at` is due. With `upToId`: the next retry of a delivery with an id up to that one.
   */
  nextDueAfter(at: Instant, upToId?: string): Promise<Instant | undefined>;
  status(): Promise<DeliveryEngineStatus>;
  /** Resolves to true once nothing is due or in flight. Resolves to false if the signal is aborted first. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /**
   * Claims no further lanes, waits for attempts in flight and releases lanes. The engine waits for as long as one
   * attempt may take, plus 2 s for the database. After that it gives up and logs what was left.
   */
  close(): Promise<void>;
}

/** Extra time for write-backs when the engine closes, beyond the time of one attempt. */
const CLOSE_MARGIN_MS = 2_000;

/** Starts the engine, which delivers everything that is due, including what an earlier process left in flight. */
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
      // A step of the clock is short, so deleting old deliveries can wait until it ends.
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

/** Stops once the time to close is used up, and logs what is left. */
function giveUpOn(dispatcher: Dispatcher, { logger, cutDatabase }: DeliveryEngineOptions): void {
  const left = { lanes: dispatcher.lanesHeld(), deliveries: dispatcher.inFlight() };
  if (left.lanes === 0 && left.deliveries === 0)
    logger.warn('closed while the database did not respond; no work was left');
  else {
    logger.error(
      left,
      'closed before everything was stored: these lanes are free when the lease of this server ends, and these deliveries will be attempted again',
    );
  }
  void dispatcher.stop();
  cutDatabase?.();
}
