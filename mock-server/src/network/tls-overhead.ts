import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { EncryptedStream } from './encrypted-stream.ts';
import type { ReadingTime } from './parsing-time.ts';
import { TlsRefusedError } from './tls-error.ts';

/** A TLS connection may receive this many encrypted bytes, plus {@link ENCRYPTED_PER_CONTENT} per byte of content. */
export const TLS_EXTRA_MAX_BYTES = 128 * 1024;
/** In a short TLS record, most bytes are overhead. */
const ENCRYPTED_PER_CONTENT = 4;
const CHECK_MS = 100;
/**
 * The maximum number of session tickets and key updates. OpenSSL derives keys for each of these short messages, and a
 * thousand messages take more than 10 ms. Most servers send two tickets and no key updates.
 */
const DERIVATIONS_MAX = 20;
/** In a `keylog` event, a line with this label contains the secret after a key update. */
const UPDATED_SECRET = 'SERVER_TRAFFIC_SECRET_N ';

const tooMuchOverhead = () =>
  new TlsRefusedError('ERR_TLS_TOO_LITTLE_CONTENT', 'the server sent too many TLS messages without content');

const renegotiation = () => new TlsRefusedError('ERR_TLS_RENEGOTIATION', 'the server requested a renegotiation');

/**
 * Destroys a TLS connection that has received far more encrypted bytes than bytes of content. Code that reads the TLS
 * socket does not see messages without content, so the {@link EncryptedStream} counts the bytes of these messages.
 *
 * @param ownerOf - Returns the workspace that uses the connection now.
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
      // socket immediately, but the connector's type does not say so.
      const connecting: unknown = connect(
        { ...options, port, httpSocket: stream as unknown as Socket },
        (...[error, socket]) => {
          if (error) {
            raw.destroy();
            return callback(error, null);
          }
          limitOverhead(stream, socket);
          // After the handshake, Node reports a TLS error but leaves the connection open, so close it here.
          socket.on('error', (failure) => socket.destroy(failure));
          callback(null, socket);
        },
      );
      if (!(connecting instanceof EventEmitter)) throw new TypeError('The connector returned no socket.');
      connecting.on('keylog', (line: Buffer) => stream.addSecret(line));
    };
    connect({ ...options, protocol: 'http:', port }, (...[error, raw]) => {
      if (error) return callback(error, null);
      // An interceptor such as MSW's, which may replace the network in tests, makes the whole connection itself.
      if (raw.localAddress === undefined) {
        raw.destroy();
        return connect(options, callback);
      }
      // Starting a handshake takes up to a millisecond, and hundreds of connections can open at once.
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
    // OpenSSL rejects renegotiation, but each request for it (4 bytes) makes Node check the certificate again.
    .on('secure', () => socket.destroy(renegotiation()))
    .on('session', countDerivation)
    .on('keylog', (line: Buffer) => line.toString('latin1').startsWith(UPDATED_SECRET) && countDerivation())
    .once('close', () => clearInterval(checks));
}
