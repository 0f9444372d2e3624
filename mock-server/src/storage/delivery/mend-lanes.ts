import { sql } from 'kysely';
import { earliest, type Instant } from '../../domain/instant.ts';
import { givenRows, lockingFreeRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { OldRows } from '../statements/ids.ts';
import { firstDue } from './lane-turns.ts';

/*
 * A delivery in the queue always has a lane: `touchLanes` inserts the lane in the same transaction, and only empty
 * lanes are deleted. So only turns need repair.
 */

/** The largest expected difference between the clocks of two nodes. */
const CLOCKS_APART_MS = 2_000;

/** `headDueAt` is the time when the lane's first delivery is due. */
export interface LateLane {
  endpointId: string;
  headDueAt: Instant;
}

/**
 * Checks the next `limit` lanes with ids after `after`. Finds free lanes that have deliveries, but whose turn is
 * missing or too late: more than `CLOCKS_APART_MS` after `now`, and later than the time when the first delivery is due.
 * If the clock was set back, turns can be too late.
 *
 * @returns the late lanes and the last id that was checked, or undefined at the end of the table.
 */
export async function findLateLanes(
  queries: Queries,
  { after, limit, now }: { after: string; limit: number; now: Instant },
): Promise<{ late: LateLane[]; last: string | undefined }> {
  const { rows } = await sql<{
    id: string;
    isFree: boolean | number;
    turnAt: Instant | null;
    first: Instant | null;
    retry: Instant | null;
  }>`
    select endpoint_id as id, node is null as "isFree", turn_at as "turnAt",
      ${firstDue(sql`lane.endpoint_id`, 0)} as "first", ${firstDue(sql`lane.endpoint_id`, 1)} as "retry"
    from delivery_lanes as lane where endpoint_id > ${after} order by endpoint_id limit ${limit}`.execute(queries);
  const late: LateLane[] = [];
  for (const { id, isFree, turnAt, first, retry } of rows) {
    const headDueAt = earliest(first, retry);
    if (!isFree || headDueAt === undefined) continue;
    if (turnAt === null || (turnAt > now + CLOCKS_APART_MS && turnAt > headDueAt))
      late.push({ endpointId: id, headDueAt });
  }
  return { late, last: rows.length < limit ? undefined : rows.at(-1)?.id };
}

/** Corrects late turns without reading the queue again. A turn that is too early is harmless. */
export async function bringLanesForward(queries: Queries, lanes: readonly LateLane[]): Promise<void> {
  if (lanes.length === 0) return;
  const head = sql`cast(given.value ->> 'headDueAt' as bigint)`;
  await sql`
    update delivery_lanes set turn_at = ${head}
    from ${givenRows(queries, lanes)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId' and node is null
      and (turn_at is null or turn_at > ${head})`.execute(queries);
}

/**
 * Checks the next `limit` lanes with ids after `after`. Deletes the empty lanes of deleted endpoints. Returns the last
 * id that was checked, or undefined at the end of the table.
 */
export async function removeIdleLanes(
  queries: Queries,
  { after, limit }: Pick<OldRows, 'after' | 'limit'>,
): Promise<string | undefined> {
  const lanes = await queries
    .selectFrom('delivery_lanes as lane')
    .leftJoin('webhook_endpoints as endpoint', 'endpoint.id', 'lane.endpoint_id')
    .select(['lane.endpoint_id as id', 'endpoint.id as endpointId', 'lane.turn_at as turnAt'])
    .where('lane.endpoint_id', '>', after)
    .orderBy('lane.endpoint_id')
    .limit(limit)
    .execute();
  const idle = lanes.filter(({ endpointId, turnAt }) => endpointId === null && turnAt === null);
  // Lock the lanes before the queue is read. `touchLanes` explains why.
  const { rows: free } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes
    where node is null and endpoint_id in (select given.value ->> 'id' from ${givenRows(queries, idle)})
    ${lockingFreeRows(queries)}`.execute(queries);
  for (const { endpoint_id } of free) {
    await queries
      .deleteFrom('delivery_lanes')
      .where('endpoint_id', '=', endpoint_id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('delivery_queue').select('delivery_id').where('endpoint_id', '=', endpoint_id))),
      )
      .execute();
  }
  return lanes.length === limit ? lanes.at(-1)?.id : undefined;
}
