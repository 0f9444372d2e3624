import type { Timer } from '../../runtime/timers.ts';
import { createWorkLoop } from '../../runtime/work-loop.ts';
import type { AutoDisabledEndpoint } from '../../storage/changes/endpoints.ts';
import { keepSessions } from '../../storage/delivery/node-sessions.ts';
import { logUnmoved, resultStatements, storeResults } from '../../storage/delivery/store-results.ts';
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
  /** Whether the result may change its endpoint's failure count. This value never changes from true to false. */
  counts: boolean;
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
  /** Decides whether a result may change its endpoint's failure count. */
  trackCounted(finished: EndedAttempt): boolean;
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
      if (error instanceof MustCountError) return storeAgain(batch);
      if (!(error instanceof StorageUnavailableError)) return handleRefusal(batch, error);
      waitAgain(batch);
      throw error;
    }
    storeSoon();
  }

  function waitAgain(batch: readonly Finished[]): void {
    recount(batch);
    // The order of the ids is the order in which the attempts ended.
    waiting = [...batch, ...waiting].sort((a, b) => (a.attempt.id < b.attempt.id ? -1 : 1));
  }

  function storeAgain(batch: readonly Finished[]): void {
    waitAgain(batch);
    storeNow();
  }

  /** Decides again whether results may change failure counts, because a standby with old counts may have taken over. */
  function recount(results: readonly Finished[]): void {
    for (const finished of results) finished.counts ||= options.trackCounted(finished);
  }

  function handleRefusal(batch: readonly Finished[], error: unknown): void {
    for (const finished of batch) finished.refusals++;
    const [first, ...others] = batch;
    if (others.length > 0) waitAgain(batch);
    else if (first) {
      options.refused(endpointOf(first), error);
      timers.after(REFUSED_RETRY_MS, () => storeAgain(batch), { keepsAlive: false });
    }
    storeNow();
  }

  return {
    /** @param isUrgent - Whether no other attempt is running, so waiting for more results would be useless. */
    add(ended: EndedAttempt, isUrgent: boolean): void {
      waiting.push({ ...ended, counts: options.trackCounted(ended), refusals: 0 });
      if (isUrgent && !writing.isRunning()) storeNow();
      else storeSoon();
    },
    /** Call this after a lane, or the connection to the database, was lost: failure counts may have changed. */
    recount: () => recount([...waiting, ...[...underWay].flat()]),
    stored: () => stored,
    isHealthy: () => writing.failures() === 0,
    async stop(): Promise<void> {
      isStopped = true;
      soon?.cancel();
      await writing.stop();
    },
  };
}

/** Thrown if the database was unreachable while a batch waited: `storeAndCount` must then store the batch. */
class MustCountError extends Error {}

/** Stores a batch. A result that did not move its delivery in the queue is logged, but has no other effect. */
async function store(
  { storage, clock, ids, sendsEmails, onSessionEnded, followOtherIds }: ResultsOptions,
  batch: readonly Finished[],
): Promise<Pick<StoredBatch, 'late' | 'autoDisabled'>> {
  const session = batch[0]?.lane.session ?? '';
  const attempts = batch.map(({ attempt }) => attempt);
  const counting = { ids, clock, sendsEmails };
  const counts = batch.some((finished) => finished.counts);
  if (counts) await followOtherIds?.();
  const { moved, autoDisabled } = counts
    ? await storage.write((queries) => storeAndCount(queries, session, attempts, counting))
    : { moved: await storeOnly(storage, session, batch), autoDisabled: [] };
  if (moved.length === attempts.length) return { late: new Set(), autoDisabled };
  const isMoved = new Set(moved);
  const others = attempts.filter(({ delivery }) => !isMoved.has(delivery.id));
  const [kept, late] = await storage.write((queries) =>
    together([keepSessions(queries, [session]), logUnmoved(queries, others)]),
  );
  if (!kept.has(session)) onSessionEnded(session);
  return { late, autoDisabled };
}

async function storeOnly(storage: Storage, session: string, batch: readonly Finished[]): Promise<string[]> {
  const rows = await storage.writeAtOnce((database) => {
    // The connection may lead to a standby with old failure counts, and `storeOnly` cannot correct these counts.
    if (batch.some(({ counts }) => counts)) throw new MustCountError();
    const attempts = batch.map(({ attempt }) => attempt);
    return resultStatements(database, session, attempts);
  });
  return (rows as { deliveryId: string }[]).map(({ deliveryId }) => deliveryId);
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
 * Chooses the next batch to store, with results of one session. Results that may change a failure count are stored in
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

const endpointsToCount = (items: readonly Finished[]) => new Set(items.filter(({ counts }) => counts).map(endpointOf));

const endpointOf = ({ attempt }: Finished) => attempt.delivery.endpointId;

const bytesOf = ({ loggedHeaders, response }: FinishedAttempt): number =>
  bytesOfHeaders(loggedHeaders) + (response === undefined ? 0 : bytesOfResponse(response));
