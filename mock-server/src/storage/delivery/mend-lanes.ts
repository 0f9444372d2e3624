import { sql } from 'kysely';
import { earliest, type Instant } from '../../domain/instant.ts';
import { givenIds, givenRows, lockingFreeRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
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

export interface LanesToMend {
  late: LateLane[];
  /** The ids of the endpoints. */
  idle: string[];
  /** The last id that was checked, or undefined at the end of the table. */
  last: string | undefined;
}

/**
 * Checks the next `limit` lanes with ids after `after`. Finds two kinds of free lanes: lanes of deleted endpoints
 * without deliveries (`idle`), and lanes with deliveries whose turn is missing or too late (`late`). A turn is too late
 * if it is later than the time when the first delivery is due, and more than `CLOCKS_APART_MS` after `now`. Turns can
 * be too late if the clock was set back.
 */
export async function findLanesToMend(
  queries: Queries,
  { after, limit, now }: { after: string; limit: number; now: Instant },
): Promise<LanesToMend> {
  const { rows } = await sql<{
    id: string;
    isFree: boolean | number;
    hasEndpoint: boolean | number;
    turnAt: Instant | null;
    first: Instant | null;
    retry: Instant | null;
  }>`
    select endpoint_id as id, node is null as "isFree", turn_at as "turnAt",
      exists (select 1 from webhook_endpoints where id = lane.endpoint_id) as "hasEndpoint",
      ${firstDue(sql`lane.endpoint_id`, 0)} as "first", ${firstDue(sql`lane.endpoint_id`, 1)} as "retry"
    from delivery_lanes as lane where endpoint_id > ${after} order by endpoint_id limit ${limit}`.execute(queries);
  const late: LateLane[] = [];
  const idle: string[] = [];
  for (const { id, isFree, hasEndpoint, turnAt, first, retry } of rows) {
    if (!isFree) continue;
    const headDueAt = earliest(first, retry);
    if (headDueAt === undefined) {
      if (!hasEndpoint) idle.push(id);
    } else if (turnAt === null || (turnAt > now + CLOCKS_APART_MS && turnAt > headDueAt))
      late.push({ endpointId: id, headDueAt });
  }
  return { late, idle, last: rows.length < limit ? undefined : rows.at(-1)?.id };
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

/** Deletes lanes that are still free and without deliveries. */
export async function removeIdleLanes(queries: Queries, endpointIds: readonly string[]): Promise<void> {
  // Lock the lanes before the queue is read. `touchLanes` explains why.
  const { rows: free } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes
    where node is null and endpoint_id in ${givenIds(queries, endpointIds)} ${lockingFreeRows(queries)}`.execute(
    queries,
  );
  const locked = free.map(({ endpoint_id }) => endpoint_id);
  await sql`
    delete from delivery_lanes as lane where endpoint_id in ${givenIds(queries, locked)}
      and ${firstDue(sql`lane.endpoint_id`, 0)} is null and ${firstDue(sql`lane.endpoint_id`, 1)} is null`.execute(
    queries,
  );
}
