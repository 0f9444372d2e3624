import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { createDispatcher } from '../src/delivery/dispatcher.ts';
import { NO_OBSERVER } from '../src/delivery/observer.ts';
import { type AttemptFaults, injectFaults } from '../src/delivery/sending/inject-faults.ts';
import { createSigningKeys } from '../src/delivery/sending/signing-keys.ts';
import type { ClockState } from '../src/domain/clock-state.ts';
import type { DeliveryFault, Fault } from '../src/domain/fault.ts';
import type { Ids } from '../src/runtime/ids.ts';
import type { Logger } from '../src/runtime/logger.ts';
import type { Timers } from '../src/runtime/timers.ts';
import { StorageUnavailableError } from '../src/storage/port.ts';
import { VirtualClock } from '../src/time/clock.ts';
import { masterKey } from './database.ts';
import type { Receivers } from './receivers.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import { type Connection, connectTo } from './store.ts';

export const EPOCH = Date.parse('2031-03-01T00:00:00.000Z');

/** The waits before the two retries. So a simulated delivery has at most three attempts. */
export const DELAYS_MS = [2_000, 7_000];

export interface NodeParts extends Omit<Connection, 'owner' | 'isCutOff'> {
  name: string;
  scheduler: Scheduler;
  ids: Ids;
  receivers: Receivers;
  clockState: ClockState;
  isCutOff(): boolean;
  /** Reports an error that the engine did not expect. */
  broke(text: string): void;
  tellOthers(topic: 'hand-over' | 'work'): void;
}

/** The engine's real dispatcher, with a simulated clock, database and network. */
export interface SimulatedNode extends Owner {
  name: string;
  clock: VirtualClock;
  clockMovedAt: number;
  dispatcher: ReturnType<typeof createDispatcher>;
  isLeaving: boolean;
  cutOffUntil: number;
}

export function startNode(parts: NodeParts): SimulatedNode {
  const { name, scheduler, random, ids, receivers, trace } = parts;
  const clock = new VirtualClock(() => EPOCH + Math.round(scheduler.now));
  clock.restore(parts.clockState);
  const node = {
    name,
    clock,
    clockMovedAt: Number.NEGATIVE_INFINITY,
    isDead: false,
    frozenUntil: 0,
    isLeaving: false,
    cutOffUntil: 0,
  };
  const timers = scheduler.timersOf(node);
  const logger = loggerOf(parts);
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
    timers,
    ids,
    logger,
    schedule: { delaysMs: DELAYS_MS, jitterPercent: 0, random: random.fraction },
    signingKeys: createSigningKeys(masterKey),
    send: receivers.senderOf(node, (send) =>
      injectFaults({ send, faults: drawFaults(parts, timers), logger, timers, timeoutMs: DELIVERY_TIMEOUT_MS }),
    ),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    concurrency: 8,
    endpointConcurrency: 4,
    observer: NO_OBSERVER,
    otherNodes: { askForLanes: () => parts.tellOthers('hand-over'), tellOfLanes: () => parts.tellOthers('work') },
    drawSession: () => `${name} ${++sessions}`,
  });
  dispatcher.setTaking(true);
  return Object.assign(node, { dispatcher });
}

/**
 * Chooses a random fault for an attempt, or no fault. The choice takes time and may fail, because a real server reads
 * the faults from its database.
 */
function drawFaults({ random, has }: NodeParts, timers: Timers): AttemptFaults {
  const effects: readonly DeliveryFault['effect'][] = [
    { delayMs: random.integer(12_000) },
    { status: random.pick([200, 429, 500]) },
    { reset: true },
    { reset: 'response' },
    { drop: true },
    { drop: 'response' },
    { duplicate: true },
    { duplicate: true, reset: 'response', delayMs: random.integer(2_000) },
    { reorder: true },
  ];
  return {
    mayStrike: () => has('injected faults'),
    take() {
      const { promise, resolve, reject } = Promise.withResolvers<Fault | undefined>();
      const effect = random.chance(0.2) ? random.pick(effects) : undefined;
      timers.after(random.integer(random.chance(0.9) ? 20 : 4_000), () => {
        if (random.chance(0.05)) reject(new StorageUnavailableError('The simulated faults cannot be read.'));
        else resolve(effect && ({ id: 'flt_1', target: 'delivery', effect } as Fault));
      });
      return promise;
    },
  };
}

/** Returns a logger for the trace. An error that does not come from the database is a defect of the engine. */
function loggerOf({ name, trace, broke }: NodeParts): Logger {
  const line = (detail: unknown, text?: string) => {
    const { err } = detail as { err?: unknown };
    if (err !== undefined && !(err instanceof StorageUnavailableError)) broke(`${name}: ${text}: ${String(err)}`);
    trace(`${name} logs: ${text ?? String(detail)} ${JSON.stringify(detail)}`);
  };
  return { trace() {}, debug() {}, info() {}, warn: line, error: line, fatal: line } as unknown as Logger;
}
