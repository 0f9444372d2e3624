import type { CompiledQuery } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import type { DeliveryTransition } from '../../domain/retry-schedule.ts';
import { isPostgres } from '../dialect.ts';
import { type ColumnsOf, forAllRows, forEachRow, isKey, marksOf, namesOf, rowsOf, runForRows } from '../many-rows.ts';
import type { DatabaseKind, Queries } from '../port.ts';
import type { QueuePlace } from './queue-places.ts';

export interface AttemptResult {
  /** A ULID without a prefix. */
  id: string;
  delivery: { id: string; workspaceId: string; place: QueuePlace };
  /** Starts at 1. */
  number: number;
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  /** The request headers that cannot be derived from the URL and the body (see `domain/attempt-headers.ts`). */
  loggedHeaders: Record<string, string>;
  /** The part of the receiver's response that arrived, if any. */
  response: { status: number; headers: Record<string, string>; body: string } | undefined;
  responseTimeMs: number;
  /** Null if the attempt succeeded. */
  error: string | null;
  transition: DeliveryTransition;
}

/**
 * Builds the statements that store results and return the ids of the moved deliveries. A result moves its delivery
 * within the queue, to the place of the next retry, or from the queue to `delivery_ends`. The result changes nothing if
 * the session has ended, or if the delivery has left the place that the result names. While the transaction runs, the
 * session cannot end. PostgreSQL needs only one statement and one round trip.
 *
 * `counting` says whether the same transaction also counts failures. If not, the results must contain no failure, and a
 * success changes nothing if its endpoint's failure count is above 0.
 */
export function resultStatements(
  database: DatabaseKind,
  session: string,
  results: readonly AttemptResult[],
  counting: 'counted' | 'uncounted',
): CompiledQuery<Moved>[] {
  const isCounted = counting === 'counted';
  return database === 'postgres' ? [oneStatement(session, results, isCounted)] : steps(session, results, isCounted);
}

export interface Moved {
  deliveryId: string;
}

/** Stores results in a transaction in which the caller also counts failures. */
export async function storeResults(queries: Queries, session: string, results: readonly AttemptResult[]) {
  const moved: string[] = [];
  const database = isPostgres(queries) ? 'postgres' : 'sqlite';
  for (const statement of resultStatements(database, session, results, 'counted')) {
    const { rows } = await queries.executeQuery(statement);
    moved.push(...rows.map(({ deliveryId }) => deliveryId));
  }
  return moved;
}

/**
 * Logs results that did not move their deliveries, and returns the ids of the late results. If a result is already in
 * the log, an earlier call stored it, but the reply to that call was lost. Such a result is late only if the earlier
 * call logged it as late. The result of a delivery that a reset has deleted is late, too, but is not logged.
 */
export async function logUnmoved(queries: Queries, results: readonly AttemptResult[]): Promise<Set<string>> {
  const into = `insert into delivery_attempts (${namesOf(LOGGED)}, late)`;
  const report = 'on conflict (delivery_id, id) do update set late = delivery_attempts.late returning id, late';
  const columns = isPostgres(queries) ? LOGGED : { ...LOGGED, existing: LOGGED.delivery_id };
  const logged = await runForRows<AttemptResult, { id: string; late: number }>(queries, columns, results, {
    sqlite: `${into} select ${marksOf(LOGGED)}, 1 where exists (select 1 from deliveries where id = ?) ${report}`,
    postgres: (given) => `${into} select given.*, 1 from ${given}
      join deliveries on ${isKey('deliveries.id', 'given.delivery_id')} ${report}`,
  });
  const inTime = new Set(logged.flatMap(({ id, late }) => (late === 1 ? [] : [id])));
  return new Set(results.flatMap(({ id }) => (inTime.has(id) ? [] : [id])));
}

const PLACE = {
  endpoint_id: ['text', ({ delivery }) => delivery.place.endpointId],
  retry: ['integer', ({ delivery }) => delivery.place.retry],
  due_at: ['bigint', ({ delivery }) => delivery.place.dueAt],
  delivery_id: ['text', ({ delivery }) => delivery.place.deliveryId],
  attempts_before: ['integer', ({ number }) => number - 1],
} satisfies ColumnsOf<AttemptResult>;

const LOGGED = {
  id: ['text', ({ id }) => id],
  delivery_id: ['text', ({ delivery }) => delivery.id],
  number: ['integer', ({ number }) => number],
  url: ['text', ({ url }) => url],
  started_at: ['bigint', ({ startedAt }) => startedAt],
  ended_at: ['bigint', ({ endedAt }) => endedAt],
  request_headers: ['text', ({ loggedHeaders }) => JSON.stringify(loggedHeaders)],
  response_status: ['integer', ({ response }) => response?.status ?? null],
  response_headers: ['text', ({ response }) => (response ? JSON.stringify(response.headers) : null)],
  response_body: ['text', ({ response }) => response?.body ?? null],
  response_time_ms: ['integer', ({ responseTimeMs }) => responseTimeMs],
  error: ['text', ({ error }) => error],
} satisfies ColumnsOf<AttemptResult>;

/**
 * A result that moves its delivery is not late, even if the log says otherwise. The log can be wrong after a failover:
 * the standby may lack the call that moved the delivery, but contain the repeated call that logged the result as late.
 */
const NOT_LATE = 'on conflict (delivery_id, id) do update set late = 0';

const { response_status, response_time_ms, error } = LOGGED;
const OUTCOME: ColumnsOf<AttemptResult> = { attempt: LOGGED.number, response_status, response_time_ms, error };

const NEXT = {
  status: ['text', ({ transition }) => transition.status],
  due_again_at: ['bigint', ({ transition }) => (transition.status === 'pending' ? transition.nextAttemptAt : null)],
} satisfies ColumnsOf<AttemptResult>;

/** `ended` and `postponed` return all values that the inserts need, so each insert costs only one write per row. */
function oneStatement(session: string, results: readonly AttemptResult[], isCounted: boolean): CompiledQuery<Moved> {
  const columns: ColumnsOf<AttemptResult> = { session: ['text', () => session], ...PLACE, ...NEXT, ...LOGGED };
  const atItsPlace = `${isKey('q.endpoint_id', 'given.endpoint_id')} and q.retry = given.retry and q.due_at = given.due_at
    and q.delivery_id = given.delivery_id and q.attempt = given.attempts_before and given.session in (select id from alive)`;
  const isFailing = `exists (
    select 1 from webhook_endpoints as e where ${isKey('e.id', 'given.endpoint_id')} and e.consecutive_failures > 0)`;
  return forAllRows(
    columns,
    results,
    (given) => `
      with given as materialized (select * from ${given}),
      alive as materialized (
        select id from delivery_nodes where id in (select session from given) for key share
      ),
      ended as (
        delete from delivery_queue as q using given
        where given.status <> 'pending' and ${atItsPlace} and (${isCounted} or not ${isFailing})
        returning given.*, q.workspace_id
      ),
      postponed as (
        update delivery_queue as q set retry = 1, due_at = given.due_again_at, attempt = given.number,
          response_status = given.response_status, response_time_ms = given.response_time_ms, error = given.error
        from given where given.status = 'pending' and ${atItsPlace} returning given.*, q.workspace_id
      ),
      moved as materialized (select * from ended union all select * from postponed),
      listed as (
        insert into delivery_ends
          (workspace_id, endpoint_id, status, delivery_id, attempt, ended_at, response_status, response_time_ms, error)
        select workspace_id, endpoint_id, status, delivery_id, number, ended_at, response_status, response_time_ms, error
        from ended
      ),
      logged as (
        insert into delivery_attempts (${namesOf(LOGGED)}, late)
        select ${namesOf(LOGGED)}, 0 from moved ${NOT_LATE}
      )
      select delivery_id as "deliveryId" from moved`,
  );
}

/** For each row, the inserts run only if the main statement has found the row's delivery. */
function steps(session: string, results: readonly AttemptResult[], isCounted: boolean): CompiledQuery<Moved>[] {
  const atItsPlace = `where endpoint_id = ? and retry = ? and due_at = ? and delivery_id = ? and attempt = ?
    and exists (select 1 from delivery_nodes where id = ?)`;
  const isFailing = 'exists (select 1 from webhook_endpoints where id = endpoint_id and consecutive_failures > 0)';
  const moved = 'returning delivery_id as "deliveryId"';
  const placeNow: ColumnsOf<AttemptResult> = { ...PLACE, session: ['text', () => session] };
  const ended = results.filter(({ transition }) => transition.status !== 'pending');
  const retries = results.filter(({ transition }) => transition.status === 'pending');
  const logging = (of: readonly AttemptResult[]) => ({
    sql: `insert into delivery_attempts (${namesOf(LOGGED)}, late) values (${marksOf(LOGGED)}, 0) ${NOT_LATE}`,
    rows: rowsOf(LOGGED, of),
  });
  const listed: ColumnsOf<AttemptResult> = {
    workspace_id: ['text', ({ delivery }) => delivery.workspaceId],
    endpoint_id: PLACE.endpoint_id,
    status: NEXT.status,
    delivery_id: PLACE.delivery_id,
    ended_at: LOGGED.ended_at,
    ...OUTCOME,
  };
  const listing = {
    sql: `insert into delivery_ends (${namesOf(listed)}) values (${marksOf(listed)})`,
    rows: rowsOf(listed, ended),
  };
  return [
    forEachRow(
      placeNow,
      ended,
      `delete from delivery_queue ${atItsPlace} and (${isCounted} or not ${isFailing}) ${moved}`,
      [listing, logging(ended)],
    ),
    forEachRow(
      { due_again_at: NEXT.due_again_at, ...OUTCOME, ...placeNow },
      retries,
      `update delivery_queue
        set retry = 1, due_at = ?, attempt = ?, response_status = ?, response_time_ms = ?, error = ? ${atItsPlace} ${moved}`,
      [logging(retries)],
    ),
  ];
}
