import type { CompiledQuery } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import type { DeliveryTransition } from '../../domain/retry-schedule.ts';
import { databaseOf, isPostgres } from '../dialect.ts';
import { type Columns, forAllRows, forEachRow, type Row, runForRows } from '../many-rows.ts';
import type { DatabaseKind, Queries } from '../port.ts';
import type { QueuePlace } from '../statements/queue/take.ts';

/** The result of one attempt. */
export interface AttemptResult {
  /** A ULID without a prefix. The attempt's entry in the log has this id. */
  id: string;
  delivery: { id: string; workspaceId: string; place: QueuePlace };
  /** The number of the attempt, starting at 1. */
  number: number;
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  requestHeaders: Record<string, string>;
  /** The part of the receiver's response that arrived. Undefined if the response's head did not arrive. */
  response: { status: number; headers: Record<string, string>; body: string } | undefined;
  responseTimeMs: number;
  /** Null if the attempt succeeded. */
  error: string | null;
  transition: DeliveryTransition;
}

/**
 * Builds the statements that store results in one round trip. Each result moves its delivery from its place in the
 * queue to the place for the next retry, or to `delivery_ends`. A result changes nothing if the session has ended, or
 * if the delivery has left its place because the result is already stored. The session cannot end before the
 * transaction ends.
 *
 * The statements return the deliveries that were moved.
 */
export function resultStatements(
  database: DatabaseKind,
  session: string,
  results: readonly AttemptResult[],
): CompiledQuery<Moved>[] {
  return database === 'postgres' ? [oneStatement(session, results)] : steps(session, results);
}

/** A delivery that was moved. */
export interface Moved {
  deliveryId: string;
}

/**
 * Stores results with {@link resultStatements}, in the caller's transaction.
 *
 * @returns the ids of the moved deliveries.
 */
export async function storeResults(
  queries: Queries,
  session: string,
  results: readonly AttemptResult[],
): Promise<string[]> {
  const moved: string[] = [];
  for (const statement of resultStatements(databaseOf(queries), session, results)) {
    const { rows } = await queries.executeQuery(statement);
    moved.push(...rows.map(({ deliveryId }) => deliveryId));
  }
  return moved;
}

/**
 * Logs the results that did not move a delivery, and changes nothing else.
 *
 * @returns the ids of the results whose session had ended. The other results were already stored, but the database's
 *   reply was lost.
 */
export async function logLateResults(queries: Queries, results: readonly AttemptResult[]): Promise<Set<string>> {
  // Insert an attempt only if its delivery exists, because a reset may have deleted the delivery.
  const into = `insert into delivery_attempts (${Object.keys(LOGGED).join(', ')}, late)`;
  const report = 'on conflict (delivery_id, id) do update set late = delivery_attempts.late returning id, late';
  const rows = results.map((result) => [...loggedValues(result), ...(isPostgres(queries) ? [] : [result.delivery.id])]);
  const logged = await runForRows<{ id: string; late: number }>(queries, LOGGED, rows, {
    sqlite: `${into} select ${marks(LOGGED)}, 1 where exists (select 1 from deliveries where id = ?) ${report}`,
    postgres: (given) => `${into} select given.*, 1 from ${given} join deliveries on deliveries.id = given.delivery_id
      ${report}`,
  });
  return new Set(logged.flatMap(({ id, late }) => (late === 1 ? [id] : [])));
}

/** A delivery's place in the queue, and the number of attempts before the one whose result is stored. */
const PLACE = {
  endpoint_id: 'text',
  retry: 'integer',
  due_at: 'bigint',
  delivery_id: 'text',
  attempt: 'integer',
} as const;

const LOGGED = {
  id: 'text',
  delivery_id: 'text',
  number: 'integer',
  url: 'text',
  started_at: 'bigint',
  ended_at: 'bigint',
  request_headers: 'text',
  response_status: 'integer',
  response_headers: 'text',
  response_body: 'text',
  response_time_ms: 'integer',
  error: 'text',
} as const;

const LISTED = {
  workspace_id: 'text',
  endpoint_id: 'text',
  status: 'text',
  delivery_id: 'text',
  ended_at: 'bigint',
  attempt: 'integer',
  response_status: 'integer',
  response_time_ms: 'integer',
  error: 'text',
} as const;

const names = (columns: Columns) => Object.keys(columns).join(', ');

const marks = (columns: Columns) =>
  Object.keys(columns)
    .map(() => '?')
    .join(', ');

const placeOf = ({ delivery: { place }, number }: AttemptResult): Row => [
  place.endpointId,
  place.retry,
  place.dueAt,
  place.deliveryId,
  number - 1,
];

const loggedValues = (result: AttemptResult): Row => [
  result.id,
  result.delivery.id,
  result.number,
  result.url,
  result.startedAt,
  result.endedAt,
  JSON.stringify(result.requestHeaders),
  result.response?.status ?? null,
  result.response ? JSON.stringify(result.response.headers) : null,
  result.response?.body ?? null,
  result.responseTimeMs,
  result.error,
];

/** The values of the columns `attempt`, `response_status`, `response_time_ms` and `error` after the attempt. */
const outcomeOf = ({ number, response, responseTimeMs, error }: AttemptResult): Row => [
  number,
  response?.status ?? null,
  responseTimeMs,
  error,
];

const dueAgainAt = ({ transition }: AttemptResult) =>
  transition.status === 'pending' ? transition.nextAttemptAt : null;

/**
 * Builds the statement for PostgreSQL. The part that moves the deliveries returns all values that the inserts need, so
 * each insert costs only one write per row.
 */
function oneStatement(session: string, results: readonly AttemptResult[]): CompiledQuery<Moved> {
  const { delivery_id: _, ...logged } = LOGGED;
  const columns = { session: 'text', ...PLACE, status: 'text', due_again_at: 'bigint', ...logged } as const;
  const rows = results.map((result) => {
    const [id = '', , ...others] = loggedValues(result);
    return [session, ...placeOf(result), result.transition.status, dueAgainAt(result), id, ...others];
  });
  const atItsPlace = `q.endpoint_id = given.endpoint_id and q.retry = given.retry and q.due_at = given.due_at
    and q.delivery_id = given.delivery_id and q.attempt = given.attempt and given.session in (select id from alive)`;
  return forAllRows(
    columns,
    rows,
    (given) => `
      with given as materialized (select * from ${given}),
      alive as materialized (
        select id from delivery_nodes where id in (select session from given) for key share
      ),
      ended as (
        delete from delivery_queue as q using given
        where given.status <> 'pending' and ${atItsPlace} returning given.*, q.workspace_id
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
        insert into delivery_attempts (${names(LOGGED)}, late)
        select ${names(LOGGED)}, 0 from moved on conflict do nothing
      )
      select delivery_id as "deliveryId" from moved`,
  );
}

/**
 * Builds the statements for SQLite. The statement that moves or removes a delivery in the queue runs once for each row.
 * If that statement finds the delivery, the inserts for the row follow.
 */
function steps(session: string, results: readonly AttemptResult[]): CompiledQuery<Moved>[] {
  const atItsPlace = `where ${Object.keys(PLACE).join(' = ? and ')} = ?
    and exists (select 1 from delivery_nodes where id = ?) returning delivery_id as "deliveryId"`;
  const placeNow = (result: AttemptResult) => [...placeOf(result), session];
  const logging = (of: readonly AttemptResult[]) => ({
    sql: `insert into delivery_attempts (${names(LOGGED)}, late) values (${marks(LOGGED)}, 0) on conflict do nothing`,
    rows: of.map(loggedValues),
  });
  const ended = results.filter(({ transition }) => transition.status !== 'pending');
  const retries = results.filter(({ transition }) => transition.status === 'pending');
  const listing = {
    sql: `insert into delivery_ends (${names(LISTED)}) values (${marks(LISTED)})`,
    rows: ended.map((result) => [
      result.delivery.workspaceId,
      result.delivery.place.endpointId,
      result.transition.status,
      result.delivery.id,
      result.endedAt,
      ...outcomeOf(result),
    ]),
  };
  return [
    forEachRow(ended.map(placeNow), `delete from delivery_queue ${atItsPlace}`, [listing, logging(ended)]),
    forEachRow(
      retries.map((result) => [dueAgainAt(result), ...outcomeOf(result), ...placeNow(result)]),
      `update delivery_queue
        set retry = 1, due_at = ?, attempt = ?, response_status = ?, response_time_ms = ?, error = ? ${atItsPlace}`,
      [logging(retries)],
    ),
  ];
}
