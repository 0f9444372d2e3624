import { sql } from 'kysely';
import { isPostgres, lockingAlone, lockingForUse, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { NodeTable } from '../schema/webhooks.ts';
import { together } from '../together.ts';

export async function beginSession(queries: Queries, id: string): Promise<void> {
  await queries.insertInto('delivery_nodes').values({ id, renewals: 0 }).execute();
}

/**
 * Lets the transaction commit without waiting for PostgreSQL's disk, because a slow disk could delay the renewal of a
 * session until the session ends. Call this only if the loss of the transaction in a crash does no harm.
 */
async function commitBeforeOnDisk(queries: Queries): Promise<void> {
  if (isPostgres(queries)) await sql`select set_config('synchronous_commit', 'off', true)`.execute(queries);
}

/** Returns false if the session has ended. */
export async function renewSession(queries: Queries, id: string): Promise<boolean> {
  const [, { numUpdatedRows }] = await together([
    commitBeforeOnDisk(queries),
    queries
      .updateTable('delivery_nodes')
      .set((eb) => ({ renewals: eb('renewals', '+', 1) }))
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  ]);
  return numUpdatedRows > 0n;
}

/** Returns the given sessions that have not ended, and prevents them from ending before the transaction ends. */
export async function keepSessions(queries: Queries, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from delivery_nodes where id in (${sql.join(ids)}) ${lockingForUse(queries)}`.execute(queries);
  return new Set(rows.map(({ id }) => id));
}

export async function listOtherSessions(queries: Queries, own: string): Promise<NodeTable[]> {
  return await queries.selectFrom('delivery_nodes').selectAll().where('id', '!=', own).execute();
}

/**
 * Finds the lanes that a session holds. First waits until running claims and releases of these lanes have ended,
 * because a claim or a release can outlive its node's connection.
 */
export async function findLanesOf(queries: Queries, session: string): Promise<Set<string>> {
  // Keep this transaction short: session renewals wait for it. A crash does no harm, because no data changes.
  await commitBeforeOnDisk(queries);
  // The lanes of an uncommitted claim are invisible and cannot be locked, so wait for the claim's lock on the session.
  await sql`select id from delivery_nodes where id = ${session} ${lockingAlone(queries)}`.execute(queries);
  const { rows } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes where node = ${session}
    order by endpoint_id ${lockingRows(queries)}`.execute(queries);
  return new Set(rows.map(({ endpoint_id }) => endpoint_id));
}

/**
 * Ends a session, unless it has been renewed since the caller read `renewals`. A foreign key then frees the session's
 * lanes.
 */
export async function endSession(queries: Queries, { id, renewals }: NodeTable): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('delivery_nodes')
    .where('id', '=', id)
    .where('renewals', '=', renewals)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Ends the given sessions or, without `ids`, all sessions. Only the owner of an embedded database may omit `ids`. */
export async function endSessions(queries: Queries, ids?: readonly string[]): Promise<void> {
  let sessions = queries.deleteFrom('delivery_nodes');
  if (ids) sessions = sessions.where('id', 'in', ids);
  await sessions.execute();
}
