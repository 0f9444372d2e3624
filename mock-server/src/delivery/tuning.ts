/*
 * The engine's intervals and sizes, in the terms of `dispatcher.ts`. A value that only one file uses may be defined in
 * that file. `domain/node-watch.ts` contains the times after which a session ends, and `runtime/work-loop.ts` contains
 * the pauses after database errors.
 */

/** An endpoint is slow if its last attempt took at least this long. */
export const SLOW_ATTEMPT_MS = 2_000;
/** The fraction of a node's slots that all slow endpoints together may use. */
export const SLOW_PART = 0.5;

/** A node that could not read the sessions for this long may have missed renewals, so it forgets its earlier reads. */
export const BLIND_AFTER_MS = 3_000;
/** An attempt ends at least this long before another node could repeat the attempt. */
export const START_MARGIN_MS = 250;
/** How often a node compares the lanes that it holds with the lanes in the database. */
export const COMPARE_INTERVAL_MS = 5_000;
/** How often a sweep checks lanes, and how many lanes each sweep checks. */
export const SWEEP_INTERVAL_MS = 1_000;
export const SWEEP_LANES = 2_000;
/** How often a take looks at the whole queue to find work that was not announced. */
export const POLL_INTERVAL_MS = 1_000;
/** The time until the next look while a caller waits for another node's work. */
export const WAITING_POLL_MS = 10;

/**
 * The time until the next look if a lane cannot be claimed or released now, because another transaction has locked it.
 */
export const LOCKED_LANE_POLL_MS = 20;

/** How long a node pauses new attempts after the machine has run out of a resource, such as file descriptors. */
export const SHORTAGE_PAUSE_MS = 1_000;
export const SHORTAGE_WARNING_INTERVAL_MS = 5_000;

export const CLAIM_LANES_MAX = 64;
/** This number is above 1, so that a node can still hold other lanes while hanging attempts fill all its slots. */
export const LANES_PER_SLOT = 2;
export const LANES_ASKED_INTERVAL_MS = 250;
/** How long a node claims no lanes after it has paused lanes for an idle node. The paused lanes start no attempts. */
export const HAND_OVER_MS = 500;
/** A node with the maximum number of lanes releases a lane that it has held for longer than this. */
export const LANE_HOLD_MS = 2_000;
/** Replaces `LANE_HOLD_MS` if the lane has no running attempts and its workspace cannot take another slot. */
export const IDLE_LANE_HOLD_MS = 250;
/** After this time, a ready delivery is stale, and is read again so that endpoint changes take effect. */
export const READY_MS = 1_000;
/**
 * A look at a lane usually begins where the previous look stopped. If this time has passed since the last look that
 * began at the head of the lane, the next look begins there again.
 */
export const HEAD_LOOK_MS = 1_000;
/**
 * How many more ready deliveries than free slots a node and a lane may have. `READY_MAX` is the approximate limit for a
 * node, but each lane may have one ready delivery even beyond this limit. Each ready delivery keeps the body of its
 * event, up to 64 KiB, in memory.
 */
export const READY_MAX = 768;
export const READY_PER_LANE_MAX = 64;
/**
 * Results are stored when `STORE_AT_COUNT` results wait or no attempt is running, but no later than `STORE_DELAY_MS`.
 * For the database, storing many results of one endpoint in a batch costs hardly more than storing one result.
 */
export const STORE_AT_COUNT = 192;
export const STORE_DELAY_MS = 5;
/** The process can prepare and send one batch while the database stores the other batch. */
export const STORES_AT_ONCE = 2;
/** While attempts are in flight, all announcements of due work within this time cause a single take. */
export const TAKE_DELAY_MS = 5;
/** The maximum number of attempts in one batch. While a batch is stored, other results wait. */
export const STORE_BATCH_MAX = 512;
/** Limits the headers and bodies in one batch, because preparing the statement blocks the process. */
export const STORE_BATCH_MAX_BYTES = 1_024 * 1_024;
/**
 * The maximum number of endpoints in a counting batch (see `queue/results.ts`). This number is small, because disabling
 * an endpoint in the batch's transaction also creates a notification for each member with access to the workspace.
 */
export const COUNTED_ENDPOINTS_MAX = 2;
/** How long a node waits before it tries again to store results that the database has refused. */
export const REFUSED_RETRY_MS = 5_000;
/** About how many deliveries one take may end as `disabled`. Each lane gets an equal share of at least two. */
export const DISABLED_BATCH = 1_000;
export const DUE_COUNT_MAX = 10_000;
