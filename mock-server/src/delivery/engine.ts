import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { Instant } from '../domain/instant.ts';
import type { MasterKey } from '../domain/master-key.ts';
import { createAddressRules } from '../domain/receiver-address.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import { processTimers } from '../runtime/timers.ts';
import { endSessions } from '../storage/delivery/sessions.ts';
import { isPostgres } from '../storage/dialect.ts';
import type { Storage } from '../storage/port.ts';
import { laneTurns } from '../storage/statements/lanes/turns.ts';
import {
  countDueDeliveries,
  findNextDueAfter,
  findNextRetryAfter,
  findOldestDueAt,
  isDueUpTo,
} from '../storage/statements/queue/due.ts';
import type { VirtualClock } from '../time/clock.ts';
import { createDispatcher } from './dispatcher.ts';
import type { DeliveryIds } from './lanes/held.ts';
import { PENDING_COUNT_MAX } from './limits.ts';
import { type DeliveryObserver, NO_OBSERVER } from './observer.ts';
import { startRetention } from './queue/retention.ts';
import type { OtherNodes } from './queue/sharing.ts';
import { createConnections } from './sending/connections.ts';
import { type AttemptFaults, injectFaults } from './sending/inject-faults.ts';
import type { OwnAddresses } from './sending/own-addresses.ts';
import { createFunctionSender } from './sending/send-by-function.ts';
import { createNetworkSender } from './sending/send-over-network.ts';
import { createSigningKeys } from './sending/signing-keys.ts';

export { DEFAULT_CONCURRENCY, DEFAULT_ENDPOINT_CONCURRENCY } from './limits.ts';
export type { DeliveryObserver } from './observer.ts';

/** The parts and settings of the engine. */
export interface DeliveryEngineOptions {
  storage: Storage;
  clock: VirtualClock;
  ids: Ids;
  masterKey: MasterKey;
  logger: Logger;
  /** Whether deliveries may go to receivers on this machine. */
  allowLoopback: boolean;
  /** CIDR blocks that deliveries may go to even if they are not public. */
  allowNetworks: readonly string[];
  /** The server's own addresses, which are closed to its deliveries. Default: none. */
  ownAddresses?: OwnAddresses | undefined;
  /** The maximum number of attempts in flight on this node. */
  concurrency: number;
  /** The maximum number of attempts in flight to one endpoint. */
  endpointConcurrency: number;
  /** The delays before the second and each later attempt. */
  retryDelaysMs: readonly number[];
  /** The largest random addition to a delay, in percent of the delay. */
  retryJitterPercent: number;
  /** Returns a random fraction for the jitter. */
  random?: (() => number) | undefined;
  /** Handles each attempt instead of the network. */
  send?: ((request: Request) => Promise<Response>) | undefined;
  observer?: DeliveryObserver | undefined;
  /** Faults to inject into attempts. */
  faults?: AttemptFaults | undefined;
  /** Whether this node makes attempts. Default: true. */
  delivers?: boolean | undefined;
  /** How long to keep deliveries after their end. Events are kept at least as long. Default: forever. */
  retentionMs?: number | undefined;
  /** Closes the connections to a database that does not respond, when the time to close is over. */
  cutDatabase?: (() => void) | undefined;
  /** The link to the other nodes. Default: none. */
  otherNodes?: OtherNodes | undefined;
  /** Whether notifications also go out by email. */
  sendsEmails?: boolean | undefined;
  /** Time limit for one attempt. Default: 10 s. Tests may shorten it. */
  timeoutMs?: number | undefined;
}

/** A running engine. */
export interface DeliveryEngine extends AsyncDisposable {
  /** Something may have become due. */
  wake(): void;
  /**
   * An endpoint was changed or deleted. No attempt that starts from now on uses older data about it. Without this call,
   * the change takes effect within a second.
   */
  endpointChanged(endpointId: string): void;
  /** The same, for changes by another node that did not say which endpoints changed. */
  endpointsChanged(): void;
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
  /** Releases every other lane that has deliveries waiting, because another node is idle. */
  share(): void;
  /** The number of attempts that this node has made and stored since it started. */
  attemptsMade(): number;
  /**
   * Whether a delivery is due before `at`, or at `at` with an id up to `upToId`. Includes deliveries in flight on any
   * node.
   */
  isDue(at: Instant, upToId: string): Promise<boolean>;
  /**
   * When the next delivery falls due after `at`. With `upToId`: the next retry of a delivery with an id up to that one.
   */
  nextDueAfter(at: Instant, upToId?: string): Promise<Instant | undefined>;
  status(): Promise<DeliveryEngineStatus>;
  /** Attempts that this node has started and not yet written back. */
  inFlight(): number;
  /** Resolves to true once nothing is due or in flight. Resolves to false if the signal is aborted first. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /** The state of a delivery on this node. */
  findOnNode(delivery: DeliveryIds): DeliveryOnNode;
  /** Whether the latest database operations succeeded. */
  healthy(): boolean;
  /**
   * Claims no further lanes, waits for attempts in flight and releases lanes. It waits for as long as one attempt may
   * take, plus 2 s for the database. After that it gives up and logs what was left.
   */
  close(): Promise<void>;
}

/** The state of the engine. */
export interface DeliveryEngineStatus {
  /** Attempts that are due now on all nodes, including those in flight. The count stops at 10,000. */
  due: number;
  /** The same without those in flight on this node. Attempts in flight on other nodes are included. */
  pending: number;
  inFlight: number;
  nextDueAt: Instant | undefined;
  /** When the oldest due attempt fell due, in flight or not. This is the engine's lag. */
  oldestDueAt: Instant | undefined;
}

/** Extra time for write-backs when the engine closes, beyond the time of one attempt. */
const CLOSE_MARGIN_MS = 2_000;

/** Starts the engine. It delivers everything that is due, including what an earlier process left in flight. */
export async function startDeliveryEngine(options: DeliveryEngineOptions): Promise<DeliveryEngine> {
  const { storage, clock, logger, timeoutMs = DELIVERY_TIMEOUT_MS, delivers = true } = options;
  const rules = createAddressRules(options);
  const connections = options.send ? undefined : createConnections(rules, timeoutMs, undefined, options.ownAddresses);
  const send = connections
    ? createNetworkSender(connections, timeoutMs)
    : createFunctionSender(options.send ?? fetch, timeoutMs);
  const dispatcher = createDispatcher({
    ...options,
    timers: processTimers,
    timeoutMs,
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
    if (!isPostgres(queries)) await endSessions(queries);
  });

  const retention = delivers ? startRetention(options) : undefined;

  let paused = false;
  let isClosing = false;
  let closed: Promise<void> | undefined;
  const update = () => dispatcher.setTaking(delivers && !isClosing && !paused);

  async function nextDueAt(): Promise<Instant | undefined> {
    const { free, held } = await storage.read(laneTurns);
    const next = free === undefined || held === undefined ? (free ?? held) : Math.min(free, held);
    // The turn of a first attempt is earlier than its due time.
    return next === undefined ? undefined : Math.max(next, clock.now());
  }

  async function close(): Promise<void> {
    isClosing = true;
    update();
    const timeIsUp = AbortSignal.timeout(timeoutMs + CLOSE_MARGIN_MS);
    timeIsUp.addEventListener('abort', giveUp);
    const isEmpty = dispatcher.until(({ isEmpty }) => isEmpty, timeIsUp);
    await Promise.all([retention?.[Symbol.asyncDispose](), isEmpty]);
    if (await isEmpty) await dispatcher.leave();
    await dispatcher.stop();
    timeIsUp.removeEventListener('abort', giveUp);
    await connections?.destroy();
  }

  function giveUp(): void {
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
    options.cutDatabase?.();
  }

  const engine: DeliveryEngine = {
    wake: dispatcher.wake,
    endpointChanged: dispatcher.endpointChanged,
    endpointsChanged: dispatcher.endpointsChanged,
    clockMoved() {
      dispatcher.wake();
      // A step ends soon, so old deliveries can wait for that.
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
      // The clock may have changed during the pause.
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
