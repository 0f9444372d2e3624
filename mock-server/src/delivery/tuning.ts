/*
 * The engine's intervals and sizes. `dispatcher.ts` defines the terms. Values that only one file uses may be in that
 * file instead. The times after which a session ends are in `domain/node-watch.ts`.
 */

/** An endpoint is slow if its last attempt took at least this long. */
export const SLOW_ATTEMPT_MS = 2_000;
/** The part of a node's slots that all slow endpoints together may use. */
export const SLOW_PART = 0.5;

/**
 * A node that could not read the sessions for this long may have missed other nodes' renewals. So it forgets what it
 * knew about those sessions.
 */
export const BLIND_AFTER_MS = 3_000;
/** An attempt ends at least this long before another node could repeat the attempt. */
export const START_MARGIN_MS = 250;
/** How often a node compares the lanes that it holds with the lanes in the database. */
export const COMPARE_INTERVAL_MS = 5_000;
/** How often a sweep checks lanes for turns that are too late, and how many lanes one sweep checks at most. */
export const SWEEP_INTERVAL_MS = 1_000;
export const SWEEP_LANES = 2_000;
/** A take looks at the whole queue at least this often. So it also finds work that was not announced. */
export const POLL_INTERVAL_MS = 1_000;
/** Like `POLL_INTERVAL_MS`, while a caller waits for another node's work. */
export const WAITING_POLL_MS = 10;

/**
 * The maximum time until the next look while a due lane cannot be claimed, or an empty lane cannot be released. In both
 * cases, another node has locked the lane, or an event for the lane is being stored.
 */
export const LOCKED_LANE_POLL_MS = 20;

/** After the machine has run out of a resource such as file descriptors, a node starts no attempts for this long. */
export const SHORTAGE_PAUSE_MS = 1_000;
export const SHORTAGE_WARNING_INTERVAL_MS = 5_000;

/** The maximum number of lanes to claim in one transaction. */
export const CLAIM_LANES_MAX = 64;
/**
 * How many lanes a node may hold for each of its slots. Because this number is above 1, a node can still hold other
 * lanes while hanging attempts fill all its slots.
 */
export const LANES_PER_SLOT = 2;
/** An idle node waits at least this long before it asks the other nodes for lanes again. */
export const SHARE_ASKED_INTERVAL_MS = 250;
/**
 * After a node has paused some of its lanes for an idle node, it claims no lanes for this long, and starts no attempts
 * in the paused lanes.
 */
export const SHARING_MS = 500;
/** If a node holds the maximum number of lanes, it releases the lanes that it has held for longer than this. */
export const LANE_HOLD_MS = 2_000;
/** Like `LANE_HOLD_MS`, if the lane has no running attempts and its workspace cannot take another slot. */
export const IDLE_LANE_HOLD_MS = 250;
/** A delivery that waits longer than this for its slot is read again, so that endpoint changes take effect soon. */
export const READY_MS = 1_000;
/**
 * A look at a lane usually begins where the previous look stopped. If no look has begun at the lane's head for longer
 * than this, the next look begins at the head.
 */
export const HEAD_LOOK_MS = 1_000;
/**
 * Limits for deliveries that are read ahead and wait for a slot. `READY_MAX` is the approximate limit for one node, but
 * each lane can have at least one. `READY_PER_LANE_MAX` is the limit for one lane. Each of these deliveries has the
 * body of its event in memory, up to 64 KiB. Deliveries that are read for free slots do not count.
 */
export const READY_MAX = 768;
export const READY_PER_LANE_MAX = 64;
/**
 * Results are stored when `STORE_AT_COUNT` of them wait, when a result has waited for `STORE_DELAY_MS`, or when no
 * attempt is running. For each endpoint in a batch, the database writes a few pages, no matter how many results of the
 * endpoint are in the batch. So a large batch costs less per delivery.
 */
export const STORE_AT_COUNT = 192;
export const STORE_DELAY_MS = 5;
/** With two batches at once, the process sends one while the database works on the other. */
export const STORES_AT_ONCE = 2;
/** While attempts are in flight, several announcements of due work within this time cause only one take. */
export const TAKE_DELAY_MS = 5;
/** The maximum number of attempts in one batch. While a batch is being stored, the other results wait. */
export const STORE_BATCH_MAX = 512;
/**
 * The maximum size in bytes of the headers and response bodies in one batch. The size is limited, because the process
 * does nothing else while it prepares the statement that stores a batch.
 */
export const STORE_BATCH_MAX_BYTES = 1_024 * 1_024;
/**
 * The maximum number of endpoints in a batch that may change failure counts. The number is small, because disabling an
 * endpoint adds work to the batch's transaction: the transaction also creates a notification for each member with
 * access to the endpoint's workspace.
 */
export const COUNTED_ENDPOINTS_MAX = 2;
/** The time until a node tries again to store results that the database has refused. */
export const REFUSED_RETRY_MS = 5_000;
/**
 * About how many due deliveries one take ends as `disabled`. The lanes share this number equally, but each lane gets at
 * least two.
 */
export const DISABLED_BATCH = 1_000;
export const DUE_COUNT_MAX = 10_000;
