import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { createDispatcher } from '../src/delivery/dispatcher.ts';
import { NO_OBSERVER } from '../src/delivery/observer.ts';
import { createSigningKeys } from '../src/delivery/sending/signing-keys.ts';
import type { ClockState } from '../src/domain/clock-state.ts';
import type { Ids } from '../src/runtime/ids.ts';
import type { Logger } from '../src/runtime/logger.ts';
import { StorageUnavailableError } from '../src/storage/port.ts';
import { VirtualClock } from '../src/time/clock.ts';
import { masterKey } from './database.ts';
import type { Receivers } from './receivers.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import { type Connection, connectTo } from './store.ts';

/** The time at which every run starts, on the simulated real-time clock of the nodes. */
export const EPOCH = Date.parse('2031-03-01T00:00:00.000Z');

/** The delays between the attempts of a delivery. With two delays, a delivery has at most three attempts. */
export const DELAYS_MS = [2_000, 7_000];

/** The parts of a node. All nodes share some of these parts. */
export interface NodeParts extends Omit<Connection, 'owner' | 'isCutOff'> {
  name: string;
  scheduler: Scheduler;
  ids: Ids;
  receivers: Receivers;
  clockState: ClockState;
  /** Whether this node cannot reach the database now. */
  isCutOff(): boolean;
  /** Reports an error that the engine did not expect. */
  broke(text: string): void;
  /** Asks the other nodes to release lanes, or tells them that lanes are free. */
  tellOthers(topic: 'share' | 'work'): void;
}

/** One node: the engine's own dispatcher on simulated time, with a simulated database and network. */
export interface SimulatedNode extends Owner {
  name: string;
  clock: VirtualClock;
  dispatcher: ReturnType<typeof createDispatcher>;
  /** Whether the node is shutting down. */
  isLeaving: boolean;
  /** The time until which the node cannot reach the database. */
  cutOffUntil: number;
}

export function startNode(parts: NodeParts): SimulatedNode {
  const { name, scheduler, random, ids, receivers, trace } = parts;
  const clock = new VirtualClock(() => EPOCH + Math.round(scheduler.now));
  clock.restore(parts.clockState);
  const node = { name, clock, isDead: false, frozenUntil: 0, isLeaving: false, cutOffUntil: 0 };
  const storage = connectTo({
    ...parts,
    owner: node,
    isCutOff: () => parts.isCutOff() || node.cutOffUntil > scheduler.now,
    trace: (text) => trace(`${name} ${text}`),
  });
  let sessions = 0;
  const dispatcher = createDispatcher({
    storage,
    clock,
    timers: scheduler.timersOf(node),
    ids,
    logger: loggerOf(parts),
    schedule: { delaysMs: DELAYS_MS, jitterPercent: 0, random: random.fraction },
    signingKeys: createSigningKeys(masterKey),
    send: receivers.senderOf(name, node),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    concurrency: 8,
    endpointConcurrency: 4,
    observer: NO_OBSERVER,
    otherNodes: { askForShare: () => parts.tellOthers('share'), tellOfLanes: () => parts.tellOthers('work') },
    drawSession: () => `${name} ${++sessions}`,
  });
  dispatcher.setTaking(true);
  return Object.assign(node, { dispatcher });
}

/** The log goes into the trace. An error that does not come from the database is a defect of the engine. */
function loggerOf({ name, trace, broke }: NodeParts): Logger {
  const line = (detail: unknown, text?: string) => {
    const { err } = detail as { err?: unknown };
    if (err !== undefined && !(err instanceof StorageUnavailableError)) broke(`${name}: ${text}: ${String(err)}`);
    trace(`${name} logs: ${text ?? String(detail)} ${JSON.stringify(detail)}`);
  };
  return { trace() {}, debug() {}, info() {}, warn: line, error: line, fatal: line } as unknown as Logger;
}
