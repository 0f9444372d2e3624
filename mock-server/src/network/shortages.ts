/**
 * System errors that occur when this machine has run out of a resource. The receiver is not at fault. `EADDRNOTAVAIL`
 * is not in this set. It means that no local port is free for connections to one address and port. On Linux,
 * connections to other addresses and ports can use the same local ports, so attempts to other receivers can continue.
 */
export const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
