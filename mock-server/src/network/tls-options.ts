import { constants } from 'node:crypto';
import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * TLS options that limit how much computation a receiver can cause. With DHE, a TLS 1.2 server chooses the
 * Diffie-Hellman group, and one handshake with a group of 10,000 bits would block the event loop for most of a second.
 * A TLS 1.3 server can choose a group of 8,192 bits from OpenSSL's default list, which takes 150 ms. All common servers
 * support elliptic curves instead. With renegotiation, a TLS 1.2 server could request any number of handshakes on one
 * connection.
 */
export const TLS_OPTIONS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};
