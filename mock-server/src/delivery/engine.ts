import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { MasterKey } from '../domain/master-key.ts';
import { createAddressRules } from '../domain/receiver-address.ts';
import type { Instant, VirtualClock } from '../runtime/clock.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import { isPostgres } from '../storage/dialect.ts';
import type { Storage } from '../storage/port.ts';
import { clearLeases } from '../storage/statements/clear-leases.ts';
import { countDueDeliveries } from '../storage/statements/count-due-deliveries.ts';
import { findNextDueAfter } from '../storage/statements/find-next-due-after.ts';
import { findNextRetryAfter } from '../storage/statements/find-next-retry-after.ts';
import { findOldestDueAt } from '../storage/statements/find-oldest-due-at.ts';
import { isDueUpTo } from '../storage/statements/is-due-up-to.ts';
import { laneTurns } from '../storage/statements/lane-turns.ts';
import { createConnections } from './connections.ts';
import { createDispatcher, type OtherNodes } from './dispatcher.ts';
import type { DeliveryIds } from './held-lanes.ts';
import { type AttemptFaults, injectFaults } from './inject-faults.ts';
import { PENDING_COUNT_MAX } from './limits.ts';
import { type DeliveryObserver, NO_OBSERVER } from './observer.ts';
import { startRetention } from './retention.ts';
import { createFunctionSender } from './send-by-function.ts';
import { createNetworkSender } from './send-over-network.ts';
import { createSigningKeys } from './signing-keys.ts';

export { DEFAULT_CONCURRENCY, DEFAULT_ENDPOINT_CONCURRENCY } from './limits.ts';
export type { DeliveryObserver } from './observer.ts';

/** What the engine works with. */
export interface DeliveryEngineOptions {
  storage: Storage;
  clock: VirtualClock;
  ids: Ids;
  masterKey: MasterKey;
  logger: Logger;
  /** Whether receivers on this machine are allowed. */
  allowLoopback: boolean;
  /** CIDR blocks whose addresses are allowed though they are not public. */
  allowNetworks: readonly string[];
  /** Attempts in flight on this node. */
  concurrency: number;
  /** Attempts in flight to one endpoint. */
  endpointConcurrency: number;
  /** Waits before the second attempt and the ones behind it. */
  retryDelaysMs: readonly number[];
  /** How much of a delay may be added at random. */
  retryJitterPercent: number;
  /** Draws a fraction for the jitter. */
  random?: (() => number) | undefined;
  /** Takes each attempt instead of the network. */
  send?: ((request: Request) => Promise<Response>) | undefined;
  observer?: DeliveryObserver | undefined;
  /** Faults to be injected into attempts. */
  faults?: AttemptFaults | undefined;
  /** Whether this node makes attempts; it does unless told otherwise. */
  delivers?: boolean | undefined;
  /** How long deliveries are kept beyond their end, and events at least; for ever where absent. */
  retentionMs?: number | undefined;
  /** Cuts the connections to a database that does not answer, once the time to close is over. */
  cutDatabase?: (() => void) | undefined;
  /** What this node tells the others; nothing where absent. */
  otherNodes?: OtherNodes | undefined;
  /** Whether notifications are also sent by email. */
  sendsEmails?: boolean | undefined;
  /** Time that one attempt may take; 10 s unless a test cannot wait for it. */
  timeoutMs?: number | undefined;
}

/** The engine, running. */
export interface DeliveryEngine extends AsyncDisposable {
  /** Something may have become due. */
  wake(): void;
  /**
   * An endpoint was changed or deleted: from now on no attempt starts with what was read of it before. Without the call
   * the change takes effect within a second.
   */
  endpointChanged(endpointId: string): void;
  /** The same of endpoints that another node changed, and did not name. */
  endpointsChanged(): void;
  /** The clock was moved: other work may be due, and other deliveries may be old enough to delete. */
  clockMoved(): void;
  /**
   * Stops making attempts. Resolves when everything in flight is written back and every lane is given back.
   *
   * @throws {@link ClosingError} once the engine is closing.
   */
  pause(): Promise<void>;
  /** Makes attempts again. */
  resume(): void;
  /** Asks this node to give every other crowded lane away: another node has nothing to do. */
  share(): void;
  /** Attempts that this node has finished and stored since it started. */
  attemptsMade(): number;
  /** Whether a delivery is due before `at`, or at `at` with an id up to `upToId`, in flight or not, on any node. */
  isDue(at: Instant, upToId: string): Promise<boolean>;
  /** When the next delivery falls due after `at`; with `upToId`, the next retry of a delivery up to that one. */
  nextDueAfter(at: Instant, upToId?: string): Promise<Instant | undefined>;
  status(): Promise<DeliveryEngineStatus>;
  /** Attempts of this node that were started and are not written back yet. */
  inFlight(): number;
  /** Resolves with true once nothing is due or in flight, with false when the signal is aborted before. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /** Where a delivery stands on this node. */
  findOnNode(delivery: DeliveryIds): DeliveryOnNode;
  /** Whether the last exchange with the database went well. */
  healthy(): boolean;
  /**
   * Claims no more, finishes what is in flight, for as long as one attempt may take, and gives leases back; 2 s later at
   * the latest it waits for the database no longer, and tells the log what was left.
   */
  close(): Promise<void>;
}

/** Where the engine stands. */
export interface DeliveryEngineStatus {
  /** Attempts that are due now, over all nodes, in flight or not; counted up to 10,000. */
  due: number;
  /** The same without those that are in flight on this node: what is in flight on another is not known here. */
  pending: number;
  inFlight: number;
  nextDueAt: Instant | undefined;
  /** Since when the oldest attempt is due, in flight or not: the engine's lag. */
  oldestDueAt: Instant | undefined;
}

/** Time beyond an attempt's own for writing it back, when the engine closes. */
const CLOSE_MARGIN_MS = 2_000;

/** Starts the engine: what is due is delivered from now on, what an earlier process left in flight at once. */
export async function startDeliveryEngine(options: DeliveryEngineOptions): Promise<DeliveryEngine> {
  const { storage, clock, logger, timeoutMs = DELIVERY_TIMEOUT_MS, delivers = true } = options;
  const rules = createAddressRules(options);
  const connections = options.send ? undefined : createConnections(rules, timeoutMs);
  const send = connections
    ? createNetworkSender(connections, timeoutMs)
    : createFunctionSender(options.send ?? fetch, timeoutMs);
  const dispatcher = createDispatcher({
    ...options,
    observer: options.observer ?? NO_OBSERVER,
    schedule: {
      delaysMs: options.retryDelaysMs,
      jitterPercent: options.retryJitterPercent,
      random: options.random ?? Math.random,
    },
    signingKeys: createSigningKeys(options.masterKey),
    send: options.faults ? injectFaults({ ...options, send, faults: options.faults, timeoutMs }) : send,
  });
  await storage.write(async (queries) => {
    if (!isPostgres(queries)) await clearLeases(queries);
  });

  const retention = delivers ? startRetention(options) : undefined;

  let paused = false;
  let isClosing = false;
  let closed: Promise<void> | undefined;
  const update = () => dispatcher.setTaking(delivers && !isClosing && !paused);

  async function nextDueAt(): Promise<Instant | undefined> {
    const { free, held } = await storage.read(laneTurns);
    const next = free === undefined || held === undefined ? (free ?? held) : Math.min(free, held);
    // The turn of a first attempt is before it falls due.
    return next === undefined ? undefined : Math.max(next, clock.now());
  }

  async function close(): Promise<void> {
    isClosing = true;
    update();
    const timeIsUp = AbortSignal.timeout(timeoutMs + CLOSE_MARGIN_MS);
    timeIsUp.addEventListener('abort', giveUp);
    await Promise.all([retention?.[Symbol.asyncDispose](), dispatcher.until(({ isEmpty }) => isEmpty, timeIsUp)]);
    await dispatcher.stop();
    timeIsUp.removeEventListener('abort', giveUp);
    await connections?.destroy();
  }

  function giveUp(): void {
    const left = { lanes: dispatcher.lanesHeld(), deliveries: dispatcher.inFlight() };
    if (left.lanes === 0 && left.deliveries === 0)
      logger.warn('closed while the database did not answer; nothing was left to do');
    else {
      logger.error(
        left,
        'closed before everything was stored: these lanes are free when their leases end, and these deliveries will be attempted again',
      );
    }
    void dispatcher.stop();
    options.cutDatabase?.();
  }

  const engine: DeliveryEngine = {
    wake: dispatcher.wake,
    endpointChanged: dispatcher.endpointChanged,
    endpointsChanged: dispatcher.endpointsChanged,
    clockMoved() {
      dispatcher.wake();
      // A step is over soon: old deliveries can wait for its end.
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
      // The clock may have changed meanwhile.
      retention?.look();
    },
    share: dispatcher.share,
    attemptsMade: dispatcher.attemptsWritten,
    isDue: (at, upToId) => storage.read((queries) => isDueUpTo(queries, { at, upToId })),
    nextDueAfter: (at, upToId) =>
      storage.read((queries) =>
        upToId === undefined ? findNextDueAfter(queries, at) : findNextRetryAfter(queries, { now: at, upToId }),
      ),
    async status() {
      const { due, oldestDueAt } = await storage.read(async (queries) => ({
        due: await countDueDeliveries(queries, clock.now(), PENDING_COUNT_MAX),
        oldestDueAt: await findOldestDueAt(queries, clock.now()),
      }));
      const inFlight = dispatcher.inFlight();
      return { due, pending: Math.max(0, due - inFlight), inFlight, nextDueAt: await nextDueAt(), oldestDueAt };
    },
    inFlight: dispatcher.inFlight,
    whenIdle: (signal) => dispatcher.until(({ isEmpty, isDue }) => isEmpty && !isDue, signal),
    findOnNode: dispatcher.findOnNode,
    healthy: dispatcher.isHealthy,
    close() {
      closed ??= close();
      return closed;
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
  update();
  return engine;
}
