/**
 * System errors that occur when this machine has run out of a resource. The receiver is not at fault. `EADDRNOTAVAIL`
 * (no free local port) is not in this set: on Linux, each address and port of a receiver has its own supply of local
 * ports, so attempts to other receivers can continue.
 */
export const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
