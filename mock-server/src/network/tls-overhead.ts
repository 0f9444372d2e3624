import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { EncryptedStream } from './encrypted-stream.ts';
import type { ReadingTime } from './parsing-time.ts';

/**
 * The maximum number of bytes that a TLS connection may receive, in addition to {@link ENCRYPTED_PER_CONTENT} times its
 * content. The handshake counts too.
 */
export const TLS_EXTRA_MAX_BYTES = 128 * 1024;
/** The allowed number of received bytes per byte of content. In a short TLS record, most bytes are overhead. */
const ENCRYPTED_PER_CONTENT = 4;
const CHECK_MS = 100;
/**
 * The maximum number of session tickets on a connection. Most servers send two. OpenSSL derives keys for each ticket.
 * So a thousand tickets take more than 10 ms, although a ticket may have only 18 bytes.
 */
const TICKETS_MAX = 20;

/** Thrown if a peer sends too many TLS messages without content, such as session tickets or key updates. */
export class TlsOverheadError extends Error {
  override readonly name = 'TlsOverheadError';
  readonly code = 'ERR_TLS_TOO_LITTLE_CONTENT';

  constructor() {
    super('the server sent too many TLS messages without content');
  }
}

/**
 * Connects like the given connector. Destroys a TLS connection as soon as its handshake is too large, or as soon as the
 * connection has received far more bytes than content. OpenSSL handles messages without content internally, so code
 * that reads the TLS socket does not see these messages. Only the {@link EncryptedStream} counts their bytes.
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
    connect({ ...options, protocol: 'http:', port }, (...[error, raw]) => {
      if (error) return callback(error, null);
      // In tests, an interceptor such as MSW's may replace the network. Such an interceptor makes the whole connection
      // itself.
      if (raw.localAddress === undefined) {
        raw.destroy();
        return connect(options, callback);
      }
      const stream = new EncryptedStream(raw, time, ownerOf);
      // The TypeScript type requires a socket, but TLS accepts any stream.
      connect({ ...options, port, httpSocket: stream as unknown as Socket }, (...[error, socket]) => {
        if (error) {
          raw.destroy();
          return callback(error, null);
        }
        stream.endHandshake();
        limitOverhead(stream, socket);
        callback(null, socket);
      });
    });
  };
}

function limitOverhead(stream: EncryptedStream, socket: Socket): void {
  const check = () => {
    if (stream.bytesPassed - ENCRYPTED_PER_CONTENT * socket.bytesRead > TLS_EXTRA_MAX_BYTES)
      socket.destroy(new TlsOverheadError());
  };
  const checks = setInterval(check, CHECK_MS).unref();
  let tickets = 0;
  const countTicket = () => {
    tickets++;
    if (tickets > TICKETS_MAX) socket.destroy(new TlsOverheadError());
  };
  socket.on('session', countTicket).once('close', () => clearInterval(checks));
}
