/** How often a node renews its session and checks the other nodes' sessions. */
export const RENEWAL_INTERVAL_MS = 500;

/** If another node watches a node's session for this long and sees no renewal, the watched node counts as gone. */
export const GONE_AFTER_MS = 12_000;
