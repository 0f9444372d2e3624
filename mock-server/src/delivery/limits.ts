/** Attempts in flight on one node, unless told otherwise: 512 for a workspace that is alone. */
export const DEFAULT_CONCURRENCY = 768;
/** Attempts in flight to one endpoint, unless told otherwise. */
export const DEFAULT_ENDPOINT_CONCURRENCY = 16;

/** An attempt that took so long makes its endpoint a slow one. */
export const SLOW_ATTEMPT_MS = 2_000;
/** What of a node's slots the slow endpoints may have together, so that the others find one free. */
export const SLOW_SHARE = 0.5;

/** How long a claim holds a lane: more than three times what an attempt may take. */
export const LEASE_MS = 32_000;
/** A lease with less than this left is extended in the next round; an attempt never outlives what it leaves. */
export const LEASE_EXTENDED_BELOW_MS = 20_000;
/** How often lanes are swept. */
export const SWEEP_INTERVAL_MS = 5_000;
/** How often a node looks whether the others that hold lanes are still connected. */
export const GONE_LOOK_INTERVAL_MS = 1_000;
/** Lanes that one sweep checks for turns that come too late. */
export const SWEEP_LANES = 500;
/** The longest time between two looks at what is due. Whoever makes work wakes the engine; this stands behind it. */
export const POLL_INTERVAL_MS = 1_000;
/** The same while someone waits for work that another node does. */
export const WAITING_POLL_MS = 10;

/** The same while a lane is due that somebody else has locked, or stays because an event is being stored for it. */
export const LOCKED_LANE_POLL_MS = 20;

/** How long no attempt begins after one for which this node lacked something, such as a file descriptor. */
export const SHORTAGE_PAUSE_MS = 1_000;
/** How often that is said at most. */
export const SHORTAGE_WARNING_INTERVAL_MS = 5_000;

/** Lanes claimed in one transaction. */
export const CLAIM_LANES_MAX = 64;
/** Lanes that a node holds at most, for each of its slots: where an attempt of many hangs, each takes a lane besides its slot. */
export const LANES_PER_SLOT = 2;
/** How often a node that has nothing to do asks the others for lanes at most. */
export const SHARE_ASKED_INTERVAL_MS = 250;
/** How long a node that shares its lanes tries to give some away, and claims none, so that others come to them. */
export const SHARING_MS = 500;
/** How long a lane may be held while others wait and no more can be held. */
export const LANE_TURN_MS = 2_000;
/** The same for a lane of which nothing is in flight, while its workspace has its share of the slots. */
export const IDLE_LANE_TURN_MS = 250;
/**
 * How long what was read of a delivery and its endpoint may wait for its attempt; after that it is read again, so that
 * a change of the endpoint holds soon.
 */
export const READY_MS = 1_000;
/** How long looks at a lane go on where the one before came to; the next begins at its head. */
export const HEAD_LOOK_MS = 1_000;
/** Deliveries that wait for a slot on one node, and in one lane. */
export const READY_MAX = 768;
export const READY_PER_LANE_MAX = 64;
/** Finished attempts are written back together: as soon as there are so many, or the first has waited so long. */
export const WRITE_BATCH = 96;
export const WRITE_DELAY_MS = 5;
/** Write-backs that may be under way: the database is at one while the next is on its way. */
export const WRITES_AT_ONCE = 2;
/** Hints that come while attempts are made are followed together after this time. */
export const TAKE_DELAY_MS = 5;
/** The most that one transaction writes back, so that what comes behind it need not wait long for its lanes. */
export const WRITE_BATCH_MAX = 512;
/** Deliveries of an inactive or deleted endpoint that one round ends. */
export const DISABLED_BATCH = 500;
/** Beyond this many deliveries the count of what is due is not exact. */
export const PENDING_COUNT_MAX = 10_000;
