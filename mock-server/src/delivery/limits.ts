/** Default limit of attempts in flight on one node. A workspace that is alone gets 512 of them. */
export const DEFAULT_CONCURRENCY = 768;
/** Default limit of attempts in flight to one endpoint. */
export const DEFAULT_ENDPOINT_CONCURRENCY = 16;

/** An endpoint is slow if its last attempt took this long. */
export const SLOW_ATTEMPT_MS = 2_000;
/** The share of a node's slots that all slow endpoints together may use, so that other endpoints find a free slot. */
export const SLOW_SHARE = 0.5;

export { GONE_AFTER_MS, RENEWAL_INTERVAL_MS } from '../domain/node-watch.ts';

/** A node that could not look for this long does not know what happened in between, so it starts watching again. */
export const BLIND_AFTER_MS = 3_000;
/** An attempt ends at least this long before another node may make it again. */
export const START_MARGIN_MS = 250;
/** How often a node compares the lanes that it holds with the database. */
export const COMPARE_INTERVAL_MS = 5_000;
/** How often the sweep checks lanes for late turns, and how many lanes one sweep checks at most. */
export const SWEEP_INTERVAL_MS = 1_000;
export const SWEEP_LANES = 2_000;
/**
 * The longest time between two looks at the queue. New work wakes the engine. A look after this time finds work that
 * nothing announced.
 */
export const POLL_INTERVAL_MS = 1_000;
/** The longest time between two looks at the queue while a caller waits for another node's work. */
export const WAITING_POLL_MS = 10;

/**
 * The longest time between two looks while a due lane is locked, or is kept because an event is being stored for it.
 */
export const LOCKED_LANE_POLL_MS = 20;

/** How long a node starts no attempts after it ran out of a resource such as file descriptors. */
export const SHORTAGE_PAUSE_MS = 1_000;
/** The shortest time between two warnings about a shortage. */
export const SHORTAGE_WARNING_INTERVAL_MS = 5_000;

/** The maximum number of lanes to claim in one transaction. */
export const CLAIM_LANES_MAX = 64;
/** Lanes that a node may hold for each of its slots. An attempt that hangs uses a lane and a slot. */
export const LANES_PER_SLOT = 2;
/** The shortest time between two requests for lanes by an idle node. */
export const SHARE_ASKED_INTERVAL_MS = 250;
/** After a request for lanes, a node releases some and claims none for this long, so that others get them. */
export const SHARING_MS = 500;
/** How long a node keeps a lane once it can hold no more lanes. */
export const LANE_TURN_MS = 2_000;
/**
 * How long a node keeps a lane with nothing in flight, while the lane's workspace uses its whole share of the slots.
 */
export const IDLE_LANE_TURN_MS = 250;
/**
 * How long a delivery that was read ahead may wait for its slot. After that it is read again, so that a change to its
 * endpoint takes effect soon.
 */
export const READY_MS = 1_000;
/** How long looks at a lane continue from where the last one stopped. After that, a look starts at the head. */
export const HEAD_LOOK_MS = 1_000;
/** The maximum number of deliveries that wait for a slot, on one node and in one lane. */
export const READY_MAX = 768;
export const READY_PER_LANE_MAX = 64;
/**
 * Finished attempts are stored once there are this many, once the first has waited this long, or once nothing is in
 * flight. Each endpoint of a batch costs a few pages of the database, so a large batch costs less per delivery.
 */
export const WRITE_BATCH = 192;
export const WRITE_DELAY_MS = 5;
/** How many write-backs may run at the same time. One write-back is sent while the database works on another. */
export const WRITES_AT_ONCE = 2;
/** Hints that arrive while attempts are in flight are combined for this long. */
export const TAKE_DELAY_MS = 5;
/** The maximum number of attempts in one write-back, which locks their lanes. */
export const WRITE_BATCH_MAX = 512;
/**
 * A write-back takes no more attempts once their responses have this many characters in total. With one more response
 * of 64 KiB, the total is 1 MiB. The node does nothing else while it prepares the statement.
 */
export const WRITE_BATCH_MAX_LENGTH = 960 * 1_024;
/** The maximum number of deliveries to an inactive or deleted endpoint that one round disables, for each lane. */
export const DISABLED_BATCH = 500;
/** The highest number of due deliveries that is counted. */
export const PENDING_COUNT_MAX = 10_000;
