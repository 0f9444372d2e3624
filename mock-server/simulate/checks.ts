import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import { COMPARE_INTERVAL_MS } from '../src/delivery/tuning.ts';
import { checkDelivery } from './check-delivery.ts';
import { type KnownSecret, problemOfSignatures } from './check-signatures.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Change } from './history.ts';
import type { SimulatedNode } from './node.ts';
import type { Receivers, Sent } from './receivers.ts';
import type { Scheduler } from './scheduler.ts';

/** A change to an endpoint takes effect within this time on every node. */
const CHANGED_WITHIN_MS = 1_000;

/**
 * After a takeover, the standby may lack the latest claims and releases, so two nodes may send from the same lane
 * during this time. A node compares its lanes with the database every 5 s, and sends only deliveries that it has read
 * in the last second.
 */
const SETTLED_AFTER_MS = COMPARE_INTERVAL_MS + CHANGED_WITHIN_MS;

export const INVARIANTS = [
  'after each commit, a delivery either is in the queue or has ended, and an ended delivery never changes',
  'after each commit, the number of attempts, the status and the result of each delivery agree with its log',
  'after each commit, attempts are numbered 1, 2, 3 in their order, and no attempt started before it was due',
  'after each commit, each delivery in the queue is due at the exact time',
  'after each commit, consecutive failures are counted exactly, and the fifth consecutive failure disables the endpoint',
  'a node changes a delivery only while the node has a session',
  'each logged result is the result of an attempt',
  'an attempt is signed with each valid secret and no other, and a rotation takes effect within a second',
  'only the node that holds the lane of a delivery sends the delivery (except soon after a takeover by a standby)',
  'a delivery never has two attempts in flight, and is not sent again after it has ended (except around a takeover by a standby)',
  'an endpoint receives no attempt more than a second after it was paused, disabled or deleted',
  'only deliveries to an inactive or deleted endpoint end with the status disabled',
  'no accepted delivery is lost: each delivery ends soon after the faults have ended',
  'every slot and every lane is released',
  'no unexpected error occurs in the engine',
] as const;

const PLACE = `select status, attempt, node as holder from (
    select endpoint_id, null as status, attempt from delivery_queue where delivery_id = ?
    union all select endpoint_id, status, attempt from delivery_ends where delivery_id = ?
  ) left join delivery_lanes using (endpoint_id)`;

interface Place {
  status: string | null;
  attempt: number;
  holder: string | null;
}

export class Checks {
  failure: string | undefined;
  /** Whether the clock was set back, so that a later attempt can have an earlier time. */
  wasSetBack = false;
  readonly #database: SimulatedDatabase;
  readonly #scheduler: Scheduler;
  readonly #receivers: Receivers;
  #tookOverAt = Number.NEGATIVE_INFINITY;
  /**
   * For each delivery with an attempt in flight during or soon after a takeover: the time until which another node may
   * repeat this attempt.
   */
  #mayRepeatUntil = new Map<string, number>();
  #position = 0;
  /** The status with which each accepted delivery has ended. `undefined` while the delivery is pending. */
  #deliveries = new Map<string, string | undefined>();
  /** When each inactive or deleted endpoint stopped being active. */
  #inactiveSince = new Map<string, number>();
  #rotatedAt = new Map<string, number>();
  #failures = new Map<string, number>();

  constructor(database: SimulatedDatabase, scheduler: Scheduler, receivers: Receivers) {
    this.#database = database;
    this.#scheduler = scheduler;
    this.#receivers = receivers;
  }

  fail(text: string): void {
    this.failure ??= text;
  }

  /** Checks everything that has changed since the last call. */
  stepped(): void {
    const changes = this.#database.all<Change>(
      'select rowid as position, * from temp.history where rowid > ?',
      this.#position,
    );
    if (changes.length === 0) return;
    const deliveries = new Set<string>();
    const endpoints = new Set<string>();
    for (const change of changes) {
      this.#position = change.position;
      if (change.kind === 'replaced') {
        this.#forget();
        deliveries.clear();
        endpoints.clear();
      }
      if (['accepted', 'ended', 'touched'].includes(change.kind)) deliveries.add(change.id);
      if (['ended', 'switched', 'counted'].includes(change.kind)) endpoints.add(change.endpoint_id);
      this.#follow(change);
    }
    for (const id of deliveries) {
      this.#limitRepeat(id);
      this.#checkDelivery(id);
    }
    for (const id of endpoints) this.#checkEndpoint(id);
  }

  /** Checks everything again after a takeover, because the standby's history lacks the commits that were lost. */
  tookOver(): void {
    this.#tookOverAt = this.#scheduler.now;
    this.#position = 0;
    this.#forget();
    this.stepped();
    for (const sent of this.#receivers.open) this.#allowRepeat(sent.delivery.id);
    const queued = this.#database.all<{ id: string; attempt: number }>(
      'select delivery_id as id, attempt from delivery_queue',
    );
    // Even long after the takeover, a node may still have to store the result of a delivery's next attempt. Until the
    // result is stored, another node may repeat the attempt.
    for (const { id, attempt } of queued)
      if (this.#receivers.resultsOf(id, attempt + 1).some((result) => !('shortage' in result))) this.#allowRepeat(id);
  }

  sent(sent: Sent): void {
    const { delivery, node, at } = sent;
    const { id, endpointId } = delivery;
    const inactiveMs = at - (this.#inactiveSince.get(endpointId) ?? at);
    if (inactiveMs > CHANGED_WITHIN_MS)
      this.fail(`${node} sends ${id} to ${endpointId}, which became inactive ${Math.round(inactiveMs)} ms ago`);
    for (const other of this.#receivers.open) {
      if (other.delivery.id === id && this.#isSettled(other))
        this.fail(`${id} is sent by ${node} while the request of ${other.node} is open`);
    }
    if (!this.#isSettled(sent)) this.#allowRepeat(id);
    this.#checkSignatures(sent);
    const [place] = this.#database.all<Place>(PLACE, id, id);
    // A reset or a takeover may have deleted the delivery.
    if (place && this.#isSettled(sent)) this.#checkPlace(sent, place);
  }

  #isSettled = ({ at }: Sent) => at > this.#tookOverAt + SETTLED_AFTER_MS;

  /**
   * Allows another node to repeat the attempt at any later time, because a database outage may delay storing the
   * result.
   */
  #allowRepeat(deliveryId: string): void {
    this.#mayRepeatUntil.set(deliveryId, Number.POSITIVE_INFINITY);
  }

  /**
   * Called after the result of an attempt was stored. A repeat of the attempt is still allowed for a short time,
   * because another node may have read the delivery before the result was stored.
   */
  #limitRepeat(deliveryId: string): void {
    if (this.#mayRepeatUntil.get(deliveryId) === Number.POSITIVE_INFINITY)
      this.#mayRepeatUntil.set(deliveryId, this.#scheduler.now + CHANGED_WITHIN_MS);
  }

  #checkSignatures(sent: Sent): void {
    const { endpointId, id } = sent.delivery;
    const secrets = this.#database.all<KnownSecret>(
      'select id, expires_at from webhook_secrets where endpoint_id = ?',
      endpointId,
    );
    // The endpoint has been deleted.
    if (secrets.length === 0) return;
    const changedAt = Math.max(this.#rotatedAt.get(endpointId) ?? 0, sent.clockMovedAt);
    const hasChanged = sent.at - changedAt <= CHANGED_WITHIN_MS;
    const problem = problemOfSignatures(sent, secrets, CHANGED_WITHIN_MS, hasChanged);
    if (problem !== undefined) this.fail(`an attempt of ${id} ${problem}`);
  }

  #checkPlace({ delivery: { id, attempt }, node, at }: Sent, place: Place): void {
    const mayRepeat = at <= (this.#mayRepeatUntil.get(id) ?? Number.NEGATIVE_INFINITY);
    if (!mayRepeat && place.status !== null) this.fail(`${node} sends ${id}, which has ended as ${place.status}`);
    else if (!mayRepeat && place.attempt !== attempt - 1)
      this.fail(`${node} sends attempt ${attempt} of ${id} after ${place.attempt}`);
    else if (!place.holder?.startsWith(`${node} `))
      this.fail(`${node} sends ${id}, but its lane is held by ${place.holder ?? 'no node'}`);
  }

  ended(nodes: readonly SimulatedNode[]): void {
    for (const { name, dispatcher } of nodes) {
      if (dispatcher.inFlight() > 0) this.fail(`${name} still has ${dispatcher.inFlight()} slots taken`);
    }
    for (const id of this.#deliveries.keys()) {
      this.#checkDelivery(id);
      if (this.#deliveries.get(id) === undefined) this.fail(`${id} is still pending`);
    }
    const [stored] = this.#database.all<{ count: number }>('select count(*) as count from deliveries');
    if (stored?.count !== this.#deliveries.size)
      this.fail(`${this.#deliveries.size} deliveries were accepted, but ${stored?.count} exist`);
  }

  #forget(): void {
    this.#deliveries = new Map();
    this.#inactiveSince = new Map();
    this.#failures = new Map();
    this.#rotatedAt = new Map();
  }

  #follow({ kind, id, endpoint_id: endpointId, after, active }: Change): void {
    if (kind === 'accepted') this.#deliveries.set(id, undefined);
    if (kind === 'removed' || (kind === 'switched' && after === 0))
      this.#inactiveSince.set(endpointId, this.#scheduler.now);
    if (kind === 'switched' && after === 1) {
      this.#inactiveSince.delete(endpointId);
      this.#failures.set(endpointId, 0);
    }
    if (kind === 'unfenced') this.fail(`${id} was changed by ${after}, which has no session`);
    if (kind === 'rotated') this.#rotatedAt.set(endpointId, this.#scheduler.now);
    if (kind !== 'ended') return;
    if (after === 'disabled') {
      if (active === 1) this.fail(`${id} was disabled while its endpoint was active`);
      return;
    }
    const count = after === 'success' ? 0 : (this.#failures.get(endpointId) ?? 0) + 1;
    this.#failures.set(endpointId, count);
  }

  #checkDelivery(id: string): void {
    const { status, problem } = checkDelivery(this.#database, id, {
      ended: this.#deliveries.get(id),
      resultsOf: (number) => this.#receivers.resultsOf(id, number),
      wasSetBack: this.wasSetBack,
    });
    if (problem !== undefined) this.fail(`${id} ${problem}`);
    if (status !== null) this.#deliveries.set(id, status);
  }

  #checkEndpoint(id: string): void {
    const [endpoint] = this.#database.all<{ failures: number; active: number }>(
      'select consecutive_failures as failures, active from webhook_endpoints where id = ?',
      id,
    );
    if (!endpoint) return;
    const count = this.#failures.get(id) ?? 0;
    if (endpoint.failures !== count) this.fail(`${id} counts ${endpoint.failures} failures instead of ${count}`);
    if (endpoint.active === 1 && count >= CONSECUTIVE_FAILURES_MAX)
      this.fail(`${id} is active after ${count} consecutive failures`);
  }
}
