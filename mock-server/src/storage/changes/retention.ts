import { sql } from 'kysely';
import { isPostgres, lockingFreeRows } from '../dialect.ts';
import { isKey } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { findOldRows, type OldRows } from '../statements/ids.ts';

/** Deletes the link from each old replay to its original event, unless the replay's delivery still exists. */
export async function removeOldReplays(queries: Queries, old: OldRows): Promise<string | undefined> {
  const { ids, last } = await findOldRows(queries, 'replayed_events', old);
  await removeUnused(queries, 'replayed_events', ids);
  return last;
}

/**
 * Deletes old events that no delivery and no replay refers to. If the clock was moved ahead while an event was being
 * stored, the event is old as soon as it is stored, but can still have a delivery.
 */
export async function removeOldEvents(queries: Queries, old: OldRows): Promise<string | undefined> {
  // Lock the events before checking for replays, so that no new replay can refer to these events (see `keepEvent`).
  const { ids, last } = await findOldRows(queries, 'events', old, lockingFreeRows(queries));
  // Read at most one replay of each event, because an event may have millions of replays.
  const replay = sql`(select 1 from replayed_events where original_event_id = events.id limit 1)`;
  await removeUnused(queries, 'events', ids, sql<boolean>`${replay} is null`);
  return last;
}

/** Deletes the rows that no delivery refers to, and for which `isUnused` is true. */
async function removeUnused(
  queries: Queries,
  table: 'events' | 'replayed_events',
  ids: readonly string[],
  isUnused = sql<boolean>`true`,
): Promise<void> {
  if (ids.length === 0) return;
  const isOfEvent = sql.raw(isPostgres(queries) ? isKey('event_id', `${table}.id`) : `event_id = ${table}.id`);
  // Choose the rows first, and delete them by key. With a single statement, PostgreSQL might read the whole table.
  const unused = await queries
    .selectFrom(table)
    .select('id')
    .where('id', 'in', ids)
    .where(isUnused)
    .where(sql<boolean>`(select 1 from deliveries where ${isOfEvent} limit 1) is null`)
    .execute();
  const unusedIds = unused.map(({ id }) => id);
  if (unusedIds.length > 0) await queries.deleteFrom(table).where('id', 'in', unusedIds).execute();
}

const removeOld =
  (table: 'notifications' | 'evaluations') =>
  async (queries: Queries, old: OldRows): Promise<string | undefined> => {
    const { ids, last } = await findOldRows(queries, table, old);
    if (ids.length > 0) await queries.deleteFrom(table).where('id', 'in', ids).execute();
    return last;
  };

/** A foreign key also deletes the emails of these notifications. */
export const removeOldNotifications = removeOld('notifications');

export const removeOldEvaluations = removeOld('evaluations');
