import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import type { AttemptedDelivery, Exchange, SendAttempt } from '../src/delivery/sending/attempt-request.ts';
import type { FaultKind } from './faults.ts';
import type { Random } from './random.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** A request that a receiver got. */
export interface Sent {
  delivery: AttemptedDelivery;
  node: string;
  at: number;
}

/** All receivers of a run. Each has a mood: slow or not, and failing or not. The mood changes at random times. */
export class Receivers {
  /** Requests that a receiver is handling. */
  readonly open = new Set<Sent>();
  /** The results of all requests, by delivery and number of the attempt. */
  readonly #results = new Map<string, Exchange[]>();
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #has: (fault: FaultKind) => boolean;
  readonly #onSent: (sent: Sent) => void;
  readonly #isSlow = new Map<string, boolean>();
  readonly #fails = new Map<string, boolean>();

  constructor(scheduler: Scheduler, random: Random, has: (fault: FaultKind) => boolean, onSent: (sent: Sent) => void) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#has = has;
    this.#onSent = onSent;
  }

  /** Chooses at random whether the endpoint is slow and whether it fails, from now on. */
  changeMood(endpointId: string): void {
    this.#isSlow.set(endpointId, this.#has('slow receivers') && this.#random.chance(0.3));
    this.#fails.set(endpointId, this.#has('failing receivers') && this.#random.chance(0.5));
  }

  /** Makes every receiver respond quickly and without failures, from now on. */
  calm(): void {
    this.#isSlow.clear();
    this.#fails.clear();
  }

  /** Returns the function with which the node `name` sends its attempts. */
  senderOf(name: string, owner: Owner): SendAttempt {
    return (_request, delivery) => {
      if (this.#has('shortages') && this.#random.chance(0.005)) return Promise.resolve({ shortage: 'EMFILE' });
      const sent: Sent = { delivery, node: name, at: this.#scheduler.now };
      this.#onSent(sent);
      this.open.add(sent);
      const { promise, resolve } = Promise.withResolvers<Exchange>();
      const takesMs = Math.min(this.#duration(delivery.endpointId), DELIVERY_TIMEOUT_MS);
      const exchange = this.#exchange(delivery.endpointId, takesMs);
      this.resultsOf(delivery.id, delivery.attempt).push(exchange);
      // The receiver handles the request even if the node dies.
      this.#scheduler.after(takesMs, undefined, () => void this.open.delete(sent));
      this.#scheduler.after(takesMs, owner, () => resolve(exchange));
      return promise;
    };
  }

  /** The results of all requests for this attempt. A delivery can have several attempts with the same number. */
  resultsOf(deliveryId: string, attempt: number): Exchange[] {
    const key = `${deliveryId}/${attempt}`;
    const results = this.#results.get(key) ?? [];
    this.#results.set(key, results);
    return results;
  }

  #duration(endpointId: string): number {
    if (this.#isSlow.get(endpointId)) return this.#random.integer(1.3 * DELIVERY_TIMEOUT_MS);
    return this.#random.chance(0.9) ? this.#random.integer(30) : this.#random.integer(800);
  }

  #exchange(endpointId: string, takesMs: number): Exchange {
    if (takesMs >= DELIVERY_TIMEOUT_MS) return { error: 'Timed out after 10 s' };
    const fails = this.#fails.get(endpointId) && this.#random.chance(0.9);
    return { response: { status: fails ? 500 : 204, headers: {}, body: '' } };
  }
}
