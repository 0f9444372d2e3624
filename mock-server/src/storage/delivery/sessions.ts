import { sql } from 'kysely';
import { lockingAlone, lockingForUse, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A session and how often its node has renewed it. */
export interface StoredSession {
  id: string;
  renewals: number;
}

/** Begins a session. */
export async function beginSession(queries: Queries, id: string): Promise<void> {
  await queries.insertInto('delivery_nodes').values({ id, renewals: 0 }).execute();
}

/** Renews a session. @returns false if it has ended. */
export async function renewSession(queries: Queries, id: string): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('delivery_nodes')
    .set((eb) => ({ renewals: eb('renewals', '+', 1) }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Which of these sessions have not ended. These sessions cannot end before the transaction does, so everything that the
 * caller writes takes effect.
 */
export async function keepSessions(queries: Queries, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from delivery_nodes where id in (${sql.join(ids)}) ${lockingForUse(queries)}`.execute(queries);
  return new Set(rows.map(({ id }) => id));
}

/** The sessions of all nodes but this one. */
export async function listOtherSessions(queries: Queries, own: string): Promise<StoredSession[]> {
  return await queries.selectFrom('delivery_nodes').selectAll().where('id', '!=', own).execute();
}

/**
 * The lanes that a session holds. Waits for transactions that are claiming or releasing one of them, for example because
 * their commit got no reply.
 */
export async function findLanesOf(queries: Queries, session: string): Promise<Set<string>> {
  // A claim that is not committed yet is invisible, so its lane cannot be locked. But the claim holds a lock on the
  // session.
  await sql`select id from delivery_nodes where id = ${session} ${lockingAlone(queries)}`.execute(queries);
  const { rows } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes where node = ${session} order by endpoint_id ${lockingRows(queries)}`.execute(
    queries,
  );
  return new Set(rows.map(({ endpoint_id }) => endpoint_id));
}

/**
 * Ends a session, unless its node has renewed it since. Its lanes are then free, because of their foreign key.
 *
 * @returns whether it ended.
 */
export async function endSession(queries: Queries, { id, renewals }: StoredSession): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('delivery_nodes')
    .where('id', '=', id)
    .where('renewals', '=', renewals)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/**
 * Ends these sessions, or every session if none are given. The latter is for the process that owns an embedded
 * database.
 */
export async function endSessions(queries: Queries, ids?: readonly string[]): Promise<void> {
  let sessions = queries.deleteFrom('delivery_nodes');
  if (ids) sessions = sessions.where('id', 'in', ids);
  await sessions.execute();
}
