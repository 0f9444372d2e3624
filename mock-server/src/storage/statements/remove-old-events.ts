import { lowestIdAt } from '../../domain/id-time.ts';
import type { Instant } from '../../domain/instant.ts';
import { lockingFreeRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import { findOldestIds } from './find-oldest-ids.ts';

/**
 * The events that a step checks: the oldest after `after`, which is an id or an empty text, that were created before
 * `until`.
 */
export interface OldEvents {
  until: Instant;
  after: string;
  limit: number;
}

/**
 * Deletes old links from replays to events, and once there are none left, some old events that no replay refers to.
 * Both must be from before an instant. The caller makes sure that no delivery needs these events.
 *
 * @returns the last event that was checked, or undefined if there are no more.
 */
export async function removeOldEvents(
  queries: Queries,
  { until, after, limit }: OldEvents,
): Promise<string | undefined> {
  const firstKept = lowestIdAt('event', until);
  // First choose the rows, then delete them by key. In a single statement, PostgreSQL may read the whole table.
  const replays = await findOldestIds(queries, 'replayed_events', firstKept, limit);
  if (replays.length > 0) await queries.deleteFrom('replayed_events').where('id', 'in', replays).execute();
  if (replays.length === limit) return after;

  // Lock events before checking who needs them. This skips events that a new replay holds with `keepEvent`. No replay
  // can start to need a locked one.
  const events = await queries
    .selectFrom('events')
    .select('id')
    .where('id', '>', after)
    .where('id', '<', firstKept)
    .orderBy('id')
    .limit(limit)
    .modifyEnd(lockingFreeRows(queries))
    .execute();
  if (events.length === 0) return undefined;
  const replayed = await queries
    .selectFrom('replayed_events')
    .select('original_event_id as id')
    .where('original_event_id', 'in', idsOf(events))
    .execute();
  const needed = new Set(idsOf(replayed));
  const over = idsOf(events).filter((id) => !needed.has(id));
  if (over.length > 0) await queries.deleteFrom('events').where('id', 'in', over).execute();
  return events.length === limit ? events.at(-1)?.id : undefined;
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
