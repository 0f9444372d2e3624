import { lowestIdAt } from '../../domain/id-time.ts';
import type { Instant } from '../../runtime/clock.ts';
import { lockingFreeRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import { findOldestIds } from './find-oldest-ids.ts';

/** Which events a step looks at: the oldest behind `after`, an id or the empty text, that were made before `until`. */
export interface OldEvents {
  until: Instant;
  after: string;
  limit: number;
}

/**
 * Removes what leads replays to events, as far as it was made before an instant, and, once nothing is left of that, some
 * events that were made before it and that no replay leads to. The caller knows that no delivery needs them any more.
 *
 * @returns the last event that was looked at; undefined where none is behind it.
 */
export async function removeOldEvents(
  queries: Queries,
  { until, after, limit }: OldEvents,
): Promise<string | undefined> {
  const firstKept = lowestIdAt('event', until);
  // The rows are chosen first, and removed by their keys: of both in one statement PostgreSQL may read the whole table.
  const replays = await findOldestIds(queries, 'replayed_events', firstKept, limit);
  if (replays.length > 0) await queries.deleteFrom('replayed_events').where('id', 'in', replays).execute();
  if (replays.length === limit) return after;

  // Locked before it is looked who needs them. What a replay is about to need, which `keepEvent` holds, is passed over;
  // from now on none can begin to.
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
