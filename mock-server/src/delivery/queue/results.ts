import type { Timer } from '../../runtime/timers.ts';
import { createWorkLoop } from '../../runtime/work-loop.ts';
import type { AutoDisabledEndpoint } from '../../storage/changes/endpoints.ts';
import { keepSessions } from '../../storage/delivery/node-sessions.ts';
import { logUnmoved, type Moved, resultStatements, storeResults } from '../../storage/delivery/store-results.ts';
import { type Queries, type Storage, StorageUnavailableError } from '../../storage/port.ts';
import { together } from '../../storage/together.ts';
import type { HeldLane } from '../lanes/lane.ts';
import type { FinishedAttempt } from '../sending/attempt.ts';
import { bytesOfHeaders, bytesOfResponse } from '../sending/kept-response.ts';
import type { DispatcherTools } from '../tools.ts';
import {
  COUNTED_ENDPOINTS_MAX,
  REFUSED_RETRY_MS,
  STORE_AT_COUNT,
  STORE_BATCH_MAX,
  STORE_BATCH_MAX_BYTES,
  STORE_DELAY_MS,
  STORES_AT_ONCE,
} from '../tuning.ts';
import { autoDisable, type Counting } from './auto-disable.ts';

interface EndedAttempt {
  attempt: FinishedAttempt;
  lane: HeldLane;
}

export interface Finished extends EndedAttempt {
  /** How many times the database has refused a batch that contains this result. */
  refusals: number;
}

export interface StoredBatch {
  batch: readonly Finished[];
  /** The ids of attempts whose results changed nothing. */
  late: ReadonlySet<string>;
  autoDisabled: readonly AutoDisabledEndpoint[];
  durationMs: number;
}

interface ResultsOptions extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers' | 'ids'> {
  sendsEmails: boolean;
  failed(error: unknown, retryInMs: number): void;
  /** Called when the database is reachable, but refuses a result of an endpoint. */
  refused(endpointId: string, error: unknown): void;
  onStored(stored: StoredBatch): void;
  /** Called when the database no longer contains the given session. */
  onSessionEnded(session: string): void;
  followOtherIds?: (() => Promise<void>) | undefined;
}

export type Results = ReturnType<typeof createResults>;

/**
 * Stores finished attempts, in batches that grow with the load. Storing a batch again after a failure is safe: results
 * that are already stored do not change. If the database refuses a batch, the results of each endpoint are stored in a
 * separate batch. If the database also refuses one of these batches, its results are stored one by one. So a result
 * that cannot be stored does not delay other results.
 */
export function createResults(options: ResultsOptions) {
  const { timers, onStored } = options;
  let waiting: Finished[] = [];
  const underWay = new Set<readonly Finished[]>();
  let soon: Timer | undefined;
  let stored = 0;
  let isStopped = false;
  const writing = createWorkLoop({ run: storeNext, failed: options.failed, width: STORES_AT_ONCE, timers });

  function storeNow(): void {
    soon?.cancel();
    soon = undefined;
    writing.request();
  }

  function storeSoon(): void {
    if (waiting.length >= STORE_AT_COUNT) storeNow();
    else if (waiting.length > 0 && !isStopped) soon ??= timers.after(STORE_DELAY_MS, storeNow);
  }

  async function storeNext(): Promise<void> {
    const batch = nextBatch(waiting, [...underWay]);
    if (batch.length === 0) return;
    const taken = new Set(batch);
    waiting = waiting.filter((item) => !taken.has(item));
    const startedAt = timers.now();
    underWay.add(batch);
    if (waiting.length > 0) writing.request();
    // Increase the count before the commit is confirmed. Otherwise, a client could read a result that this count does
    // not include yet.
    stored += batch.length;
    try {
      const report = await store(options, batch);
      underWay.delete(batch);
      onStored({ batch, ...report, durationMs: timers.now() - startedAt });
    } catch (error) {
      underWay.delete(batch);
      stored -= batch.length;
      if (!(error instanceof StorageUnavailableError)) return handleRefusal(batch, error);
      waitAgain(batch);
      throw error;
    }
    storeSoon();
  }

  function waitAgain(batch: readonly Finished[]): void {
    // The order of the ids is the order in which the attempts ended.
    waiting = [...batch, ...waiting].sort((a, b) => (a.attempt.id < b.attempt.id ? -1 : 1));
  }

  function handleRefusal(batch: readonly Finished[], error: unknown): void {
    for (const finished of batch) finished.refusals++;
    const [first, ...others] = batch;
    if (others.length > 0) waitAgain(batch);
    else if (first) {
      options.refused(endpointOf(first), error);
      const again = () => {
        waitAgain(batch);
        storeNow();
      };
      timers.after(REFUSED_RETRY_MS, again, { keepsAlive: false });
    }
    storeNow();
  }

  return {
    /** @param isUrgent - Whether no other attempt is running, so waiting for more results would be useless. */
    add(ended: EndedAttempt, isUrgent: boolean): void {
      waiting.push({ ...ended, refusals: 0 });
      if (isUrgent && !writing.isRunning()) storeNow();
      else storeSoon();
    },
    stored: () => stored,
    isHealthy: () => writing.failures() === 0,
    async stop(): Promise<void> {
      isStopped = true;
      soon?.cancel();
      await writing.stop();
    },
  };
}

/**
 * Stores a batch. Without failures, most results do not change a failure count, and are stored in one round trip. A
 * result that does not move its delivery in the queue is logged, but has no other effect.
 */
async function store(
  { storage, clock, ids, sendsEmails, onSessionEnded, followOtherIds }: ResultsOptions,
  batch: readonly Finished[],
): Promise<Pick<StoredBatch, 'late' | 'autoDisabled'>> {
  const session = batch[0]?.lane.session ?? '';
  const attempts = batch.map(({ attempt }) => attempt);
  const counting = { ids, clock, sendsEmails };
  const hasFailures = batch.some(isFailure);
  const rest = hasFailures ? attempts : unmoved(attempts, await storeUncounted(storage, session, attempts));
  if (rest.length === 0) return { late: new Set(), autoDisabled: [] };
  // Only failures can disable an endpoint, which creates ids.
  if (hasFailures) await followOtherIds?.();
  const { moved, autoDisabled } = await storage.write((queries) => storeAndCount(queries, session, rest, counting));
  if (moved.length === rest.length) return { late: new Set(), autoDisabled };
  const [kept, late] = await storage.write((queries) =>
    together([keepSessions(queries, [session]), logUnmoved(queries, unmoved(rest, moved))]),
  );
  if (!kept.has(session)) onSessionEnded(session);
  return { late, autoDisabled };
}

async function storeUncounted(
  storage: Storage,
  session: string,
  attempts: readonly FinishedAttempt[],
): Promise<string[]> {
  const rows = await storage.writeAtOnce((database) => resultStatements(database, session, attempts, 'uncounted'));
  return (rows as Moved[]).map(({ deliveryId }) => deliveryId);
}

function unmoved(attempts: readonly FinishedAttempt[], moved: readonly string[]): FinishedAttempt[] {
  const isMoved = new Set(moved);
  return attempts.filter(({ delivery }) => !isMoved.has(delivery.id));
}

export async function storeAndCount(
  queries: Queries,
  session: string,
  finished: readonly FinishedAttempt[],
  options: Counting,
): Promise<{ moved: string[]; autoDisabled: AutoDisabledEndpoint[] }> {
  const moved = await storeResults(queries, session, finished);
  const isMoved = new Set(moved);
  // Count only results that moved their deliveries. Other results are late, or an earlier call has counted them.
  const ended = finished.filter(
    ({ delivery, transition }) => transition.status !== 'pending' && isMoved.has(delivery.id),
  );
  return { moved, autoDisabled: await autoDisable(queries, ended, options) };
}

/**
 * Chooses the next batch to store, with results of one session. The results of endpoints with a failure are stored in
 * separate *counting batches*, so that counting does not delay other results. A counting batch contains the results of
 * a few endpoints. A counting batch waits while another counting batch is being stored, or while any batch with results
 * from one of its endpoints is being stored. So failures are counted in the order in which deliveries ended.
 */
export function nextBatch(waiting: readonly Finished[], underWay: readonly (readonly Finished[])[]): Finished[] {
  const counting = endpointsToCount(waiting);
  const busy = new Set(underWay.flat().map(endpointOf));
  const busyCounting = new Set(
    underWay.flatMap((batch) => (endpointsToCount(batch).size > 0 ? batch.map(endpointOf) : [])),
  );
  const waits = (endpointId: string) =>
    counting.has(endpointId) ? busyCounting.size > 0 || busy.has(endpointId) : busyCounting.has(endpointId);
  const first = waiting.find((item) => !waits(endpointOf(item)));
  if (!first) return [];
  const counts = counting.has(endpointOf(first));
  const { refusals } = first;
  const endpointsMax = refusals > 0 ? 1 : counts ? COUNTED_ENDPOINTS_MAX : Number.POSITIVE_INFINITY;
  const batchMax = refusals > 1 ? 1 : STORE_BATCH_MAX;
  const isLikeFirst = (one: Finished) => one.lane.session === first.lane.session && one.refusals === refusals;
  const endpoints = new Set<string>();
  const batch: Finished[] = [];
  let bytes = 0;
  for (const item of waiting) {
    const endpointId = endpointOf(item);
    if (batch.length >= batchMax) break;
    if (!isLikeFirst(item) || counting.has(endpointId) !== counts || waits(endpointId)) continue;
    if (!endpoints.has(endpointId) && endpoints.size >= endpointsMax) continue;
    bytes += bytesOf(item.attempt);
    // A batch contains at least one attempt, regardless of the attempt's size.
    if (bytes > STORE_BATCH_MAX_BYTES && batch.length > 0) break;
    endpoints.add(endpointId);
    batch.push(item);
  }
  return batch;
}

/** Whether the result ends its delivery as `failed`. */
const isFailure = ({ attempt }: Finished) => attempt.transition.status === 'failed';

const endpointsToCount = (items: readonly Finished[]) => new Set(items.filter(isFailure).map(endpointOf));

const endpointOf = ({ attempt }: Finished) => attempt.delivery.endpointId;

const bytesOf = ({ loggedHeaders, response }: FinishedAttempt): number =>
  bytesOfHeaders(loggedHeaders) + (response === undefined ? 0 : bytesOfResponse(response));
