import { EventEmitter, once } from 'node:events';
import type { DeliveryFault, Fault, FaultSubject } from '../../domain/fault.ts';
import type { Logger } from '../../runtime/logger.ts';
import { processTimers, type Timers } from '../../runtime/timers.ts';
import { timeoutText } from './attempt-error.ts';
import type { AttemptedDelivery, AttemptRequest, SendAttempt, SendResult } from './attempt-request.ts';

export interface AttemptFaults {
  mayStrike(target: 'delivery'): boolean;
  /** Returns the fault that applies to this attempt, if any, and updates the faults' counts. */
  take(subject: FaultSubject): Promise<Fault | undefined>;
}

export interface InjectFaultsOptions {
  send: SendAttempt;
  faults: AttemptFaults;
  logger: Logger;
  timeoutMs: number;
  timers?: Timers;
}

/** How long an attempt with the fault `reorder` waits for another attempt to overtake it, if the fault has no delay. */
const OVERTAKEN_WITHIN_MS = 5_000;

/** The response header that contains the id of the injected fault. */
const FAULT_HEADER = 'service-fault';

/** Adds faults to `send`. Even with a fault, an attempt ends no later than its deadline. */
export function injectFaults({
  send,
  faults,
  logger,
  timeoutMs,
  timers = processTimers,
}: InjectFaultsOptions): SendAttempt {
  /** Emits an endpoint's id when an attempt to the endpoint ends. */
  const ended = new EventEmitter().setMaxListeners(0);
  const timedOut = { error: timeoutText(timeoutMs) };
  const cut = { error: 'Connection reset' };
  const sleep = (ms: number) => new Promise<void>((done) => void timers.after(ms, done));

  async function sendOut(request: AttemptRequest, delivery: AttemptedDelivery): Promise<SendResult> {
    try {
      return await send(request, delivery);
    } finally {
      ended.emit(delivery.endpointId);
    }
  }

  /** Resolves when another attempt to the endpoint has ended, or after `withinMs` of real time. */
  async function overtaken(endpointId: string, withinMs: number): Promise<void> {
    const timeIsUp = new AbortController();
    const timer = timers.after(withinMs, () => timeIsUp.abort());
    await once(ended, endpointId, { signal: timeIsUp.signal }).catch(() => {});
    timer.cancel();
  }

  async function take(delivery: AttemptedDelivery): Promise<Fault | undefined> {
    try {
      return await faults.take({ target: 'delivery', ...delivery });
    } catch (error) {
      logger.warn({ err: error, deliveryId: delivery.id }, 'cannot read the faults');
      return undefined;
    }
  }

  async function strike(
    fault: Fault,
    request: AttemptRequest,
    delivery: AttemptedDelivery,
    leftMs: () => number,
  ): Promise<SendResult> {
    const { delayMs = 0, status, reset, drop, duplicate, reorder }: DeliveryFault['effect'] = fault.effect;
    if (reorder) {
      await overtaken(delivery.endpointId, Math.min(delayMs || OVERTAKEN_WITHIN_MS, timeoutMs));
    } else if (delayMs > 0) {
      await sleep(Math.min(delayMs, timeoutMs));
      if (delayMs >= timeoutMs) return timedOut;
    }
    if (leftMs() <= 0) return timedOut;
    if (status !== undefined) return { response: { status, headers: { [FAULT_HEADER]: fault.id }, body: '' } };
    if (reset === true) return cut;
    if (drop === true) return timedOut;
    const result = await sendOut({ ...request, timeoutMs: leftMs() }, delivery);
    if (duplicate && leftMs() > 0) await sendOut({ ...request, timeoutMs: leftMs() }, delivery);
    if (reset) return cut;
    return drop ? timedOut : result;
  }

  return async (request, delivery) => {
    if (!faults.mayStrike('delivery') && ended.eventNames().length === 0) return await send(request, delivery);
    // Read the time before asking the database, so that a slow reply does not delay the end of the attempt. If the
    // attempt ended too late, this node's session could end first, and another node could repeat the attempt.
    const endsAt = timers.now() + timeoutMs;
    const leftMs = () => endsAt - timers.now();
    const fault = await take(delivery);
    if (leftMs() <= 0) return timedOut;
    if (!fault) return await sendOut({ ...request, timeoutMs: leftMs() }, delivery);
    const { id: deliveryId, attempt } = delivery;
    logger.info({ faultId: fault.id, effect: fault.effect, deliveryId, attempt }, 'fault injected');
    return await strike(fault, request, delivery, leftMs);
  };
}
