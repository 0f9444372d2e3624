/** How often a node renews its session and checks the other nodes' sessions. */
export const RENEWAL_INTERVAL_MS = 500;

/** A node counts as gone if its session is not renewed for this long. */
export const GONE_AFTER_MS = 12_000;
