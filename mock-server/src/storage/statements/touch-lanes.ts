import type { Instant } from '../../runtime/clock.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/**
 * Tells lanes of first attempts that are about to be put into the queue: the turn of each comes before that of lanes
 * with nothing but retries, or earlier still.
 *
 * A transaction touches a lane before the queue, and so does the one that gives the lane back: no delivery slips between
 * the holder's last look at the queue and the release. On PostgreSQL, where they run beside each other, locks of the
 * lane's row see to that:
 *
 * - Whoever stores a delivery has a key-share lock until its end, so that the lane keeps a turn that comes in time. It
 *   stands in nobody's way but that of a release that would put the turn off: not of other events, however many come at
 *   once, not of a claim, an extended lease or a write-back, which update the row (`for no key update`).
 * - A release puts the turn off only under the exclusive lock of `lockFreeLanes`, so that all that was stored before is
 *   committed, and seen by its look at the queue; what is stored later waits for its end and meets the new turn.
 * - Where the lane has no turn, or a later one, the row is updated. That locks out claims, but only until the end of a
 *   first transaction: the ones that come after it find the turn.
 */
export async function touchLanes(queries: Queries, dueAtByEndpoint: ReadonlyMap<string, Instant>): Promise<void> {
  await runForRows(queries, { endpoint_id: 'text', due_at: 'bigint' }, [...dueAtByEndpoint], {
    sqlite: `
      insert into delivery_lanes (endpoint_id, head_due_at, turn_at, lease_token)
      select endpoint_id, due_at, due_at - ${FIRST_ATTEMPTS_AHEAD_MS}, random() & ${FIRST_TOKEN_MAX}
      from (select ? as endpoint_id, ? as due_at) where true ${BRING_FORWARD}`,
    postgres: (given) => `
      with due as materialized (select * from ${given}),
      kept as materialized (
        select lane.endpoint_id from delivery_lanes as lane join due on due.endpoint_id = lane.endpoint_id
        where lane.turn_at <= due.due_at - ${FIRST_ATTEMPTS_AHEAD_MS} for key share of lane
      )
      insert into delivery_lanes (endpoint_id, head_due_at, turn_at, lease_token)
      select endpoint_id, due_at, due_at - ${FIRST_ATTEMPTS_AHEAD_MS}, cast(random() * ${FIRST_TOKEN_MAX} as bigint)
      from due where endpoint_id not in (select endpoint_id from kept) ${BRING_FORWARD}`,
  });
}

/**
 * How far a lane with a first attempt stands before one whose retries fell due at the same time: retries can wait, and
 * do not wait for ever.
 */
export const FIRST_ATTEMPTS_AHEAD_MS = 60_000;

/**
 * A new lane's first token is drawn by chance from so many: the endpoint may have had a lane before, that a reset removed
 * while one of its attempts was in flight. The half of what a number holds exactly is left for them to rise.
 */
const FIRST_TOKEN_MAX = 2 ** 52 - 1;

/** What the lane has or what is inserted, whichever comes first; a lane that has nothing takes what is inserted. */
const earlier = (column: string) =>
  `${column} = case when delivery_lanes.${column} <= excluded.${column} then delivery_lanes.${column} else excluded.${column} end`;

const BRING_FORWARD = `on conflict (endpoint_id) do update set ${earlier('head_due_at')}, ${earlier('turn_at')}`;
