import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type {
  AttemptedDelivery,
  AttemptRequest,
  SendAttempt,
  SendResult,
} from '../src/delivery/sending/attempt-request.ts';
import type { FaultKind } from './faults.ts';
import { HOSTILE_RESULTS, type ReceiverResult, TIMED_OUT } from './hostile-results.ts';
import type { Random } from './random.ts';
import type { Owner, Scheduler } from './scheduler.ts';

export interface Sent {
  delivery: AttemptedDelivery;
  request: AttemptRequest;
  node: string;
  at: number;
  clockAt: number;
  clockMovedAt: number;
}

export interface Sender extends Owner {
  name: string;
  clock: { now(): number };
  clockMovedAt: number;
}

/** Each receiver has a mood, which changes at random times: slow or not, failing or not, and hostile or not. */
export class Receivers {
  /** The requests in flight. If a node dies, its requests stay in this set until their deadline. */
  readonly open = new Set<Sent>();
  readonly #results = new Map<string, SendResult[]>();
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #has: (fault: FaultKind) => boolean;
  readonly #onSent: (sent: Sent) => void;
  readonly #moods = new Map<string, { isSlow: boolean; fails: boolean; isHostile: boolean }>();

  constructor(scheduler: Scheduler, random: Random, has: (fault: FaultKind) => boolean, onSent: (sent: Sent) => void) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#has = has;
    this.#onSent = onSent;
  }

  changeMood(endpointId: string): void {
    this.#moods.set(endpointId, {
      isSlow: this.#has('slow receivers') && this.#random.chance(0.3),
      fails: this.#has('failing receivers') && this.#random.chance(0.5),
      isHostile: this.#has('hostile receivers') && this.#random.chance(0.3),
    });
  }

  calm(): void {
    this.#moods.clear();
  }

  /** Returns the function that a node calls for each attempt. `wrap` may add faults. */
  senderOf(node: Sender, wrap: (send: SendAttempt) => SendAttempt): SendAttempt {
    const send = wrap((request, { endpointId }) => this.#request(request, endpointId, node));
    return async (request, delivery) => {
      const { name, clock, clockMovedAt } = node;
      const sent = { delivery, request, node: name, at: this.#scheduler.now, clockAt: clock.now(), clockMovedAt };
      this.#onSent(sent);
      this.open.add(sent);
      this.#scheduler.after(DELIVERY_TIMEOUT_MS, undefined, () => void this.open.delete(sent));
      const result = await send(request, delivery);
      this.open.delete(sent);
      this.resultsOf(delivery.id, delivery.attempt).push(result);
      return result;
    };
  }

  /** Returns a list of results, because faults can cause several attempts with the same number. */
  resultsOf(deliveryId: string, attempt: number): SendResult[] {
    const key = `${deliveryId}/${attempt}`;
    const results = this.#results.get(key) ?? [];
    this.#results.set(key, results);
    return results;
  }

  #request({ timeoutMs = DELIVERY_TIMEOUT_MS }: AttemptRequest, endpointId: string, owner: Owner): Promise<SendResult> {
    if (this.#has('shortages') && this.#random.chance(0.005)) return Promise.resolve({ shortage: 'EMFILE' });
    const result = this.#resultFrom(endpointId);
    const afterMs = result.error === TIMED_OUT ? timeoutMs : this.#duration(endpointId);
    const inTime = afterMs < timeoutMs || result.error === TIMED_OUT ? result : { error: TIMED_OUT };
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    this.#scheduler.after(Math.min(afterMs, timeoutMs), owner, () => resolve(inTime));
    return promise;
  }

  #duration(endpointId: string): number {
    if (this.#moods.get(endpointId)?.isSlow) return this.#random.integer(1.3 * DELIVERY_TIMEOUT_MS);
    return this.#random.chance(0.7) ? this.#random.integer(30) : this.#random.integer(800);
  }

  #resultFrom(endpointId: string): ReceiverResult {
    const mood = this.#moods.get(endpointId);
    if (mood?.isHostile && this.#random.chance(0.7)) return this.#random.pick(HOSTILE_RESULTS);
    const fails = mood?.fails && this.#random.chance(0.9);
    return { response: { status: fails ? 500 : 204, headers: {}, body: '' } };
  }
}
