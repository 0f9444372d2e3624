import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import type { Change, SimulatedDatabase } from './database.ts';
import { DELAYS_MS, type SimulatedNode } from './node.ts';
import type { Sent } from './receivers.ts';

/** A change of an endpoint takes effect within this time on every node. */
const CHANGED_WITHIN_MS = 1_000;

/** The statements that hold in every run. */
export const INVARIANTS = [
  'no accepted delivery is lost: each delivery ends',
  'a delivery never has two attempts in flight',
  'a delivery is either in the queue or has ended, and a delivery that has ended is not sent again',
  'attempts are numbered 1, 2, 3 in their order, and no attempt starts before it is due',
  'the number of attempts and the status of each delivery agree with its log',
  'consecutive failures are counted exactly, and the fifth consecutive failure disables the endpoint',
  'an endpoint receives no attempt more than a second after it was paused',
  'only deliveries to an inactive or deleted endpoint end with the status disabled',
  'every slot and every lane is released',
  'no delivery stays in the queue after the faults have ended',
  'no unexpected error occurs in the engine',
] as const;

interface StoredDelivery {
  id: string;
  /** Null while the delivery is pending. */
  status: string | null;
  /** Null if the delivery is neither in `delivery_queue` nor in `delivery_ends`. */
  attempt: number | null;
}

const PLACES = `(select delivery_id, null as status, attempt from delivery_queue
  union all select delivery_id, status, attempt from delivery_ends)`;

/** Every delivery with its state. More than one row for a delivery is an error. */
const STATES = `select id, status, attempt from deliveries left join ${PLACES} on delivery_id = id`;

interface StoredAttempt {
  delivery_id: string;
  number: number;
  started_at: number;
  ended_at: number;
  error: string | null;
}

/** Checks a run against the {@link INVARIANTS}. Keeps only the first failure. */
export class Checks {
  failure: string | undefined;
  /** For each endpoint that is paused now, the time when it was paused. */
  readonly pausedAt = new Map<string, number>();
  /** Whether a standby without the latest commits took over. After this takeover, a node may repeat an attempt. */
  lostCommits = false;
  /** Whether the clock was set back. If it was, the times of attempts do not show the order of the attempts. */
  wasSetBack = false;
  readonly #database: SimulatedDatabase;
  readonly #open: ReadonlySet<Sent>;

  constructor(database: SimulatedDatabase, open: ReadonlySet<Sent>) {
    this.#database = database;
    this.#open = open;
  }

  fail(text: string): void {
    this.failure ??= text;
  }

  /** Checks an attempt that a node sends. */
  sent({ delivery, node, at }: Sent): void {
    const { id, endpointId, attempt } = delivery;
    for (const other of this.lostCommits ? [] : this.#open) {
      if (other.delivery.id === id) this.fail(`${id} is sent by ${node} while the request of ${other.node} is open`);
    }
    const [stored] = this.#database.all<StoredDelivery>(
      `select delivery_id as id, status, attempt from ${PLACES} where delivery_id = ?`,
      id,
    );
    // A missing row means that a reset has deleted the delivery.
    if (!stored) return;
    if (this.lostCommits) return;
    if (stored.status !== null) this.fail(`${node} sends ${id}, which has ended as ${stored.status}`);
    else if (stored.attempt !== attempt - 1)
      this.fail(`${node} sends attempt ${attempt} of ${id} after ${stored.attempt}`);
    const pausedAt = this.pausedAt.get(endpointId);
    if (pausedAt !== undefined && at - pausedAt > CHANGED_WITHIN_MS) {
      this.fail(`${node} sends ${id} to ${endpointId}, which was paused ${Math.round(at - pausedAt)} ms ago`);
    }
  }

  /** Checks the state at the end of a run, when no work is due any more. */
  ended(nodes: readonly SimulatedNode[]): void {
    for (const { name, dispatcher } of nodes) {
      if (dispatcher.inFlight() > 0) this.fail(`${name} still has ${dispatcher.inFlight()} slots taken`);
    }
    const changes = this.#database.all<Change>('select kind, id, endpoint_id, after, active from temp.history');
    // The last reset deleted all earlier data, so check only the changes after the reset.
    const since = changes.slice(changes.findLastIndex(({ kind }) => kind === 'replaced') + 1);
    this.#checkMoves(since);
    this.#checkAttempts();
    this.#checkCounts(since);
  }

  #checkMoves(changes: readonly Change[]): void {
    const accepted = new Set<string>();
    for (const { kind, id, after, active } of changes) {
      if (kind === 'accepted') accepted.add(id);
      if (kind !== 'ended') continue;
      if (after === 'disabled' && active === 1) this.fail(`${id} was disabled while its endpoint was active`);
    }
    const stored = this.#database.all<StoredDelivery>(STATES);
    const distinct = new Set(stored.map(({ id }) => id));
    if (distinct.size !== accepted.size)
      this.fail(`${accepted.size} deliveries were accepted, but ${distinct.size} exist`);
    for (const { id, status, attempt } of stored) {
      if (attempt === null) this.fail(`${id} is neither in the queue nor has it ended`);
      else if (status === null) this.fail(`${id} is still pending`);
      if (!distinct.delete(id))
        this.fail(`${id} has two rows: it is in the queue and has ended, or it has ended twice`);
    }
  }

  #checkAttempts(): void {
    const deliveries = this.#database.all<StoredDelivery>(STATES);
    const attempts = Map.groupBy(
      this.#database.all<StoredAttempt>(
        'select delivery_id, number, started_at, ended_at, error from delivery_attempts where late = 0 order by delivery_id, number',
      ),
      ({ delivery_id }) => delivery_id,
    );
    for (const { id, status, attempt } of deliveries) {
      const log = attempts.get(id) ?? [];
      if (log.length !== attempt) this.fail(`${id} counts ${attempt} attempts, but its log has ${log.length}`);
      log.forEach(({ number, started_at }, index) => {
        if (number !== index + 1) this.fail(`the log of ${id} has attempt ${number} at position ${index + 1}`);
        const previous = log[index - 1];
        if (!previous) return;
        if (previous.error === null) this.fail(`${id} was sent again after it succeeded`);
        const dueAt = previous.ended_at + (DELAYS_MS[index - 1] ?? 0);
        if (!this.wasSetBack && started_at < dueAt)
          this.fail(`${id}: attempt ${number} started ${dueAt - started_at} ms early`);
      });
      const succeeded = log.at(-1)?.error === null;
      if ((status === 'success') !== succeeded)
        this.fail(`the status of ${id} is ${status}, which does not agree with its log`);
      if (status === 'failed' && log.length !== DELAYS_MS.length + 1)
        this.fail(`${id} failed after ${log.length} attempts`);
    }
  }

  #checkCounts(changes: readonly Change[]): void {
    const counts = new Map<string, number>();
    const disabled = new Set<string>();
    for (const { kind, endpoint_id: endpointId, after } of changes) {
      if (kind === 'switched' && after === 1) counts.set(endpointId, 0);
      if (kind !== 'ended' || after === 'disabled') continue;
      const count = after === 'success' ? 0 : (counts.get(endpointId) ?? 0) + 1;
      counts.set(endpointId, count);
      if (count >= CONSECUTIVE_FAILURES_MAX) disabled.add(endpointId);
    }
    const stored = this.#database.all<{ id: string; failures: number }>(
      'select id, consecutive_failures as failures from webhook_endpoints',
    );
    for (const { id, failures } of stored) {
      const count = counts.get(id) ?? 0;
      if (failures !== count) this.fail(`${id} counts ${failures} failures instead of ${count}`);
      const wasSwitchedOff = changes.some(
        ({ kind, endpoint_id, after }) => kind === 'switched' && endpoint_id === id && after === 0,
      );
      if (disabled.has(id) && !wasSwitchedOff) this.fail(`${id} had five consecutive failures, but was never disabled`);
    }
  }
}
