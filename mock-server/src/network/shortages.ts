/**
 * These errors mean that this machine has run out of a resource. The receiver is not at fault. `EADDRNOTAVAIL` is not
 * included: if no local port is free for connections to one receiver, attempts to other receivers can continue.
 */
export const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
