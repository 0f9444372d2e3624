/*
 * The engine's intervals and sizes. A value that only one file uses is in that file if the file is easier to understand
 * this way. The times after which a session ends are in `domain/node-watch.ts`.
 */

/** An endpoint is slow if its last attempt took at least this long. */
export const SLOW_ATTEMPT_MS = 2_000;
/**
 * The part of a node's slots that all slow endpoints together may use, so that other endpoints still find a free slot.
 */
export const SLOW_PART = 0.5;

/**
 * If a node could not read the sessions for this long, it may have missed other nodes' renewals. So the node discards
 * the renewals that it has seen, and starts to watch the sessions from the beginning.
 */
export const BLIND_AFTER_MS = 3_000;
/** An attempt ends at least this long before another node may repeat the attempt. */
export const START_MARGIN_MS = 250;
/** How often a node compares the lanes that it holds with the lanes in the database. */
export const COMPARE_INTERVAL_MS = 5_000;
/** How often a sweep checks lanes for turns that are too late, and the maximum number of lanes in one sweep. */
export const SWEEP_INTERVAL_MS = 1_000;
export const SWEEP_LANES = 2_000;
/**
 * The maximum time between two looks at the queue. New work causes an earlier look. A look after this time finds work
 * that was not announced.
 */
export const POLL_INTERVAL_MS = 1_000;
/** The maximum time between two looks at the queue while a caller waits for another node's work. */
export const WAITING_POLL_MS = 10;

/**
 * A node cannot claim or release a due lane while another node has locked the lane, or while an event for the lane is
 * being stored. The node then looks at the queue again after at most this time.
 */
export const LOCKED_LANE_POLL_MS = 20;

/** How long a node pauses after the machine has run out of a resource such as file descriptors. */
export const SHORTAGE_PAUSE_MS = 1_000;
/** The minimum time between two warnings that the machine has run out of a resource. */
export const SHORTAGE_WARNING_INTERVAL_MS = 5_000;

/** The maximum number of lanes to claim in one transaction. */
export const CLAIM_LANES_MAX = 64;
/**
 * How many lanes a node may hold for each of its slots. The number is above one, so that a node can still hold other
 * lanes while hanging attempts fill all its slots.
 */
export const LANES_PER_SLOT = 2;
/** An idle node waits at least this long before it asks the other nodes for lanes again. */
export const SHARE_ASKED_INTERVAL_MS = 250;
/**
 * When an idle node asks for lanes, this node releases some of its lanes. After that, this node claims no lanes for
 * this long, so that the idle node can claim the released lanes.
 */
export const SHARING_MS = 500;
/** If a node holds as many lanes as it can, it releases a lane after this time. */
export const LANE_HOLD_MS = 2_000;
/**
 * Like `LANE_HOLD_MS`, but for a lane that has no attempts in flight, and whose workspace already uses all slots that
 * it may have.
 */
export const IDLE_LANE_HOLD_MS = 250;
/**
 * How long a delivery that was read ahead may wait for its slot. After this time, the delivery is read again, so that a
 * change to the delivery's endpoint takes effect soon.
 */
export const READY_MS = 1_000;
/**
 * For this long, each look at a lane begins where the previous look stopped. After this time, the next look begins at
 * the head of the lane.
 */
export const HEAD_LOOK_MS = 1_000;
/**
 * The maximum number of deliveries that are read ahead, to wait for a slot: on one node, and in one lane. Each of these
 * deliveries has the body of its event in memory, up to 64 KiB. A lane also reads one delivery for each free slot that
 * the lane may use, and these deliveries do not count.
 */
export const READY_MAX = 768;
export const READY_PER_LANE_MAX = 64;
/**
 * Finished attempts are stored when `STORE_AT_COUNT` finished attempts are waiting, when a finished attempt has waited
 * for `STORE_DELAY_MS`, or when no other attempt is running. The database writes a few pages for every endpoint in a
 * batch, so a large batch costs less per delivery.
 */
export const STORE_AT_COUNT = 192;
export const STORE_DELAY_MS = 5;
/**
 * How many batches may be stored at the same time. With two batches, the process sends one batch while the database
 * works on the other batch.
 */
export const STORES_AT_ONCE = 2;
/** While attempts are in flight, several announcements of due work within this time cause only one take. */
export const TAKE_DELAY_MS = 5;
/**
 * The maximum number of attempts in one batch. The limit exists because storing a batch locks the lanes of its
 * attempts.
 */
export const STORE_BATCH_MAX = 512;
/**
 * The maximum size in bytes of the headers and response bodies in one batch. The limit exists because the process does
 * nothing else while it prepares the statement that stores a batch.
 */
export const STORE_BATCH_MAX_BYTES = 1_024 * 1_024;
/**
 * The maximum number of endpoints in a batch that may change failure counts. The limit exists because a batch that
 * disables an endpoint also creates a notification for each member of the organization, in the same transaction.
 */
export const COUNTED_ENDPOINTS_MAX = 2;
/** How long the node waits before it tries again to store results that the database has refused. */
export const REFUSED_RETRY_MS = 5_000;
/**
 * The maximum number of due deliveries that one take disables because their endpoints are inactive or deleted. The
 * number applies to all lanes together.
 */
export const DISABLED_BATCH = 1_000;
/** Due deliveries are counted only up to this number. */
export const DUE_COUNT_MAX = 10_000;
