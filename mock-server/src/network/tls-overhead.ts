import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { EncryptedStream } from './encrypted-stream.ts';
import type { ReadingTime } from './parsing-time.ts';
import { TlsRefusedError } from './tls-error.ts';

/**
 * A TLS connection may receive this many bytes plus {@link ENCRYPTED_PER_CONTENT} bytes per byte of content. The bytes
 * of the handshake count as received bytes.
 */
export const TLS_EXTRA_MAX_BYTES = 128 * 1024;
/** The allowed number of received bytes per byte of content. In a short TLS record, most bytes are overhead. */
const ENCRYPTED_PER_CONTENT = 4;
const CHECK_MS = 100;
/**
 * The maximum number of session tickets and key updates on a connection. Most servers send two tickets and no key
 * updates. OpenSSL derives keys for each of these messages. Each message has only about 20 bytes, but a thousand
 * messages take more than 10 ms.
 */
const DERIVATIONS_MAX = 20;
/** The label of a secret after a key update, in the event `keylog`. */
const UPDATED_SECRET = 'SERVER_TRAFFIC_SECRET_N ';

const tooMuchOverhead = () =>
  new TlsRefusedError('ERR_TLS_TOO_LITTLE_CONTENT', 'the server sent too many TLS messages without content');

const renegotiation = () => new TlsRefusedError('ERR_TLS_RENEGOTIATION', 'the server requested a renegotiation');

/**
 * Connects like the given connector. Destroys a TLS connection if its handshake is too large, or if the connection has
 * received far more encrypted bytes than bytes of content. OpenSSL handles messages without content internally, so code
 * that reads the TLS socket does not see them. Only the {@link EncryptedStream} counts their bytes.
 *
 * @param ownerOf - Returns the workspace that uses the connection now, for {@link ReadingTime.hasTime}.
 */
export function limitTlsOverhead(
  connect: buildConnector.connector,
  time: ReadingTime,
  ownerOf: () => unknown,
): buildConnector.connector {
  return (options, callback) => {
    if (options.protocol !== 'https:') return connect(options, callback);
    const port = options.port || '443';
    const startTls = (raw: Socket) => {
      const stream = new EncryptedStream(raw, time, ownerOf);
      // The type of `httpSocket` requires a socket, but TLS accepts any stream. undici's connector returns the TLS
      // socket at once, although the type of the connector does not say so.
      const connecting: unknown = connect(
        { ...options, port, httpSocket: stream as unknown as Socket },
        (...[error, socket]) => {
          if (error) {
            raw.destroy();
            return callback(error, null);
          }
          limitOverhead(stream, socket);
          // After the handshake, Node reports an error of TLS without closing the connection.
          socket.on('error', (failure) => socket.destroy(failure));
          callback(null, socket);
        },
      );
      if (!(connecting instanceof EventEmitter)) throw new TypeError('The connector returned no socket.');
      connecting.on('keylog', (line: Buffer) => stream.addSecret(line));
    };
    connect({ ...options, protocol: 'http:', port }, (...[error, raw]) => {
      if (error) return callback(error, null);
      // In tests, an interceptor such as MSW's may replace the network. Such an interceptor makes the whole connection
      // itself.
      if (raw.localAddress === undefined) {
        raw.destroy();
        return connect(options, callback);
      }
      // Wait for reading time: creating the first message of a handshake takes up to a millisecond, and hundreds of
      // connections can open at the same time.
      time.start(() => {
        if (raw.destroyed) return callback(raw.errored ?? new Error('The server closed the connection.'), null);
        startTls(raw);
      }, ownerOf());
    });
  };
}

function limitOverhead(stream: EncryptedStream, socket: Socket): void {
  const check = () => {
    if (stream.bytesPassed - ENCRYPTED_PER_CONTENT * socket.bytesRead > TLS_EXTRA_MAX_BYTES)
      socket.destroy(tooMuchOverhead());
  };
  const checks = setInterval(check, CHECK_MS).unref();
  let derivations = 0;
  const countDerivation = () => {
    derivations++;
    if (derivations > DERIVATIONS_MAX) socket.destroy(tooMuchOverhead());
  };
  socket
    // OpenSSL rejects renegotiation, but Node checks the certificate again after each request for a renegotiation. Such
    // a request has only 4 bytes.
    .on('secure', () => socket.destroy(renegotiation()))
    .on('session', countDerivation)
    .on('keylog', (line: Buffer) => line.toString('latin1').startsWith(UPDATED_SECRET) && countDerivation())
    .once('close', () => clearInterval(checks));
}
