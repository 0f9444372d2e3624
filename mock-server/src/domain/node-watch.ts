/** How often a node renews its session and checks the other nodes' sessions. */
export const RENEWAL_INTERVAL_MS = 500;

/** If the other nodes see no renewal of a node's session for this long, the node counts as gone. */
export const GONE_AFTER_MS = 12_000;
