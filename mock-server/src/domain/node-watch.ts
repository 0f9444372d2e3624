/** How often a node renews its session and checks the other nodes' sessions. */
export const RENEWAL_INTERVAL_MS = 500;

/** A node is gone if another node has watched it for this long and it has not renewed its session. */
export const GONE_AFTER_MS = 12_000;
