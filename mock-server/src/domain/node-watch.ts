/** How often a node renews its session and checks the other nodes' sessions. */
export const RENEWAL_INTERVAL_MS = 500;

/** A node counts as gone if the other nodes see no renewal of its session for this long. */
export const GONE_AFTER_MS = 12_000;
