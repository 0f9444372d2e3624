import { constants } from 'node:crypto';
import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * TLS options that limit how much computation a receiver can cause. With DHE, a TLS 1.2 server chooses the
 * Diffie-Hellman group, and one handshake with a group of 10,000 bits would block the event loop for most of a second.
 * All common servers support elliptic curves instead. With renegotiation, a TLS 1.2 server could request any number of
 * handshakes on one connection.
 */
export const TLS_OPTIONS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};
