import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { ClaimedLane } from './claim-lanes.ts';
import { FIRST_ATTEMPTS_AHEAD_MS } from './touch-lanes.ts';

/**
 * Releases lanes if the given sessions still hold them, and sets when their next delivery falls due. A lane with work
 * left goes to the end of the line. One with a first attempt goes to the end of such lanes. The caller has locked the
 * lanes with `lockFreeLanes`, so no delivery can arrive between the look at the queue and the release.
 */
export async function releaseLanes(queries: Queries, lanes: readonly ClaimedLane[], now: Instant): Promise<void> {
  if (lanes.length === 0) return;
  // Two look-ups in the queue's index for each lane: the earliest first attempt, and the earliest retry.
  const { rows: heads } = await sql<{ endpointId: string; first: Instant | null; retry: Instant | null }>`
    select given.value ->> 'endpointId' as "endpointId",
      (select min(due_at) from delivery_queue
        where endpoint_id = given.value ->> 'endpointId' and retry = 0) as "first",
      (select min(due_at) from delivery_queue
        where endpoint_id = given.value ->> 'endpointId' and retry = 1) as "retry"
    from ${givenRows(queries, lanes)}`.execute(queries);
  const headsOf = new Map(heads.map((head) => [head.endpointId, head]));
  const released = lanes.map((lane) => {
    const { first = null, retry = null } = headsOf.get(lane.endpointId) ?? {};
    const headDueAt = earlier(first, retry);
    if (first !== null && first <= now) return { ...lane, headDueAt, turnAt: now - FIRST_ATTEMPTS_AHEAD_MS };
    return { ...lane, headDueAt, turnAt: headDueAt === null ? null : Math.max(headDueAt, now) };
  });
  await sql`
    update delivery_lanes set
      node = null,
      head_due_at = cast(given.value ->> 'headDueAt' as bigint),
      turn_at = cast(given.value ->> 'turnAt' as bigint)
    from ${givenRows(queries, released)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId'
      and delivery_lanes.node = given.value ->> 'session'`.execute(queries);
}

function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
