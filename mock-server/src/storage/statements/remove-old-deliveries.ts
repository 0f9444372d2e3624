import { lowestIdAt, timeOfId } from '../../domain/id-time.ts';
import { nextAttemptAt, type RetrySchedule } from '../../domain/retry-schedule.ts';
import type { Instant } from '../../runtime/clock.ts';
import { listIdText } from '../dialect.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** The deliveries that a step checks: the oldest after `after` that were created before `before`. */
export interface OldDeliveries {
  /** Deliveries that ended at this time or later stay. */
  before: Instant;
  /** An id, or an empty text for the first step. */
  after: string;
  limit: number;
  /** Used to calculate when a disabled delivery fell due, because that time is not stored. */
  schedule: Pick<RetrySchedule, 'delaysMs' | 'jitterPercent'>;
}

/** The result of a step. */
export interface OldDeliveriesLeft {
  /** The last id that was checked, or undefined if there are no more. */
  last: string | undefined;
  /** When the oldest event was created that a remaining delivery of this step needs. */
  oldestEventKept: Instant | undefined;
}

interface OldDelivery {
  id: string;
  workspace_id: string;
  event_id: string;
  status: string;
  attempt: number;
  created_at: Instant;
  delivered_at: Instant | null;
}

/**
 * Deletes some old deliveries that ended before an instant, with their attempts. Pending ones and those that ended
 * later stay.
 */
export async function removeOldDeliveries(queries: Queries, old: OldDeliveries): Promise<OldDeliveriesLeft> {
  // Ids rise with time, so this is a range of the primary key. It costs the same however large the table is.
  const found = await queries
    .selectFrom('deliveries')
    .select(['id', 'workspace_id', 'event_id', 'status', 'attempt', 'created_at', 'delivered_at'])
    .where('id', '>', old.after)
    .where('id', '<', lowestIdAt('webhookDelivery', old.before))
    .orderBy('id')
    .limit(old.limit)
    .execute();
  const endOf = await endsOf(queries, found, old.schedule);
  const isOver = (delivery: OldDelivery) => endOf(delivery) < old.before;
  const over = found.filter(isOver);
  const ids = over.map(({ id }) => id);
  if (ids.length > 0) {
    await queries.deleteFrom('delivery_attempts').where('delivery_id', 'in', ids).execute();
    await removeStatuses(queries, over);
    await queries.deleteFrom('deliveries').where('id', 'in', ids).execute();
  }
  const eventsKept = found.filter((delivery) => !isOver(delivery)).map(({ event_id }) => timeOfId(event_id));
  return {
    last: found.length < old.limit ? undefined : found.at(-1)?.id,
    oldestEventKept: eventsKept.length === 0 ? undefined : Math.min(...eventsKept),
  };
}

/**
 * When each delivery ended. A failed one ended with its last attempt. A disabled one ended when its next attempt was
 * due.
 */
async function endsOf(
  queries: Queries,
  deliveries: readonly OldDelivery[],
  schedule: OldDeliveries['schedule'],
): Promise<(delivery: OldDelivery) => Instant> {
  const attempted = deliveries.filter(
    ({ status, attempt }) => status === 'failed' || (status === 'disabled' && attempt > 0),
  );
  const lastAttempts =
    attempted.length === 0
      ? []
      : await queries
          .selectFrom('delivery_attempts')
          .select((eb) => ['delivery_id', eb.fn.max('ended_at').as('ended_at')])
          .where(
            'delivery_id',
            'in',
            attempted.map(({ id }) => id),
          )
          .groupBy('delivery_id')
          .execute();
  const lastEnd = new Map(lastAttempts.map(({ delivery_id, ended_at }) => [delivery_id, ended_at]));
  const latest = { ...schedule, random: () => 1 };
  return ({ id, status, attempt, created_at, delivered_at }) => {
    if (status === 'pending') return Number.POSITIVE_INFINITY;
    const endedAt = delivered_at ?? lastEnd.get(id) ?? created_at;
    return status === 'disabled' ? (nextAttemptAt(attempt, endedAt, latest) ?? endedAt) : endedAt;
  };
}

async function removeStatuses(
  queries: Queries,
  deliveries: readonly { id: string; workspace_id: string; status: string }[],
): Promise<void> {
  const rows = deliveries.map(({ workspace_id, status, id }) => [workspace_id, status, id]);
  const id = listIdText(queries, 'delivery_id');
  await runForRows(queries, { workspace: 'text', state: 'text', id: 'text' }, rows, {
    sqlite: `delete from delivery_statuses where workspace_id = ? and status = ? and ${id} = ?`,
    postgres: (given) =>
      `delete from delivery_statuses using ${given} where workspace_id = workspace and status = state and ${id} = given.id`,
  });
}
