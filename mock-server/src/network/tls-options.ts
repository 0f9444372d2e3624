import { constants } from 'node:crypto';
import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * What a peer may make this side compute. A TLS 1.2 server chooses its own Diffie-Hellman group. With 10,000 bits, one
 * handshake would block the event loop for most of a second. A TLS 1.2 server may also ask for any number of handshakes
 * on one connection. Every server of this century also supports elliptic curves.
 */
export const TLS_OPTIONS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};
