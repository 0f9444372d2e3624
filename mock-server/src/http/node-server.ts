import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { API_HEADERS, REQUEST_HEADERS_MAX_BYTES } from '@svc/contract';
import type { Ids } from '../runtime/ids.ts';
import { expectBodyWithin, joinChunks } from './arriving-bodies.ts';
import { announcesBody } from './body.ts';
import { ApiError, invalidTarget, validation } from './errors.ts';
import { oneAtATime } from './one-request-per-connection.ts';

/** The buffer of an unread body is small, because thousands of requests may wait at the same time. */
const UNREAD_MAX_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Exceeds the usual timeout of load balancers, so that they never use a connection that this server is closing. */
const KEEP_ALIVE_MS = 65_000;
/** The limits for the part of a request body that arrives after the response. Every chunk counts as at least 1 KiB. */
const UNREAD_BODY_MS = 500;
const UNREAD_BODY_MAX_BYTES = 8 * 1024 * 1024;
const UNREAD_CHUNK_MIN_BYTES = 1024;
/** How long a client may leave a response unread. Node may restart this time limit once. */
const UNREAD_RESPONSE_MS = 15_000;

/** All error responses have the error envelope, even if the error occurs before the request object exists. */
export function createNodeServer(
  fetch: (request: Request) => Response | Promise<Response>,
  requestIds: Pick<Ids, 'nextBare'>,
  { unreadResponseMs = UNREAD_RESPONSE_MS }: { unreadResponseMs?: number | undefined } = {},
): HttpServer {
  const respond = getRequestListener(fetch, {
    // This code also runs in users' processes, whose global objects must not change.
    overrideGlobalObjects: false,
    // `boundUnreadBody` limits unread bodies.
    autoCleanupIncoming: false,
    errorHandler: () => {
      const { body, status } = invalidTarget();
      return Response.json(body, { status, headers: { [API_HEADERS.requestId]: requestIds.nextBare() } });
    },
  });
  const listener = oneAtATime(respond);
  const server = createServer(
    {
      // The listener rejects HTTP/1.1 requests without a Host header: Node's own response would have no error envelope.
      requireHostHeader: false,
      maxHeaderSize: REQUEST_HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Node's time limit would also end streamed bodies. `arriving-bodies.ts` limits the time instead.
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      highWaterMark: UNREAD_MAX_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (incoming, outgoing) => {
      // Only HTTP/1.1 requires a Host header (RFC 9112, 3.2).
      if (incoming.httpVersion === '1.0') incoming.headers.host ??= 'localhost';
      boundUnreadBody(incoming, outgoing);
      boundUnreadResponse(incoming.socket, outgoing, unreadResponseMs);
      if (incoming.headers['transfer-encoding'] !== undefined) joinChunks(incoming);
      if (announcesBody(incoming.headers)) {
        expectBodyWithin(incoming, REQUEST_TIMEOUT_MS, () =>
          respondRaw(incoming.socket, new ApiError('REQUEST_TIMEOUT', NOT_IN_TIME), requestIds),
        );
      }
      return listener(incoming, outgoing);
    },
  );
  server.on('clientError', (error: ClientError, socket) => respondRaw(socket, toApiError(error), requestIds, error));
  server.on('connect', (_request, socket) => respondRaw(socket, noTunnel(), requestIds));
  server.on('checkExpectation', ({ socket }) =>
    respondRaw(socket, validation('The only supported value of the header Expect is 100-continue.'), requestIds),
  );
  return server;
}

/**
 * Limits how much of a body is read after the response. Destroying a socket with unread bytes would reset the
 * connection, and the client could lose the response (RFC 9112, 9.6). So the server first closes only its own side.
 */
function boundUnreadBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (!announcesBody(incoming.headers)) return;
  // This listener must run before Node's own listener, which discards unread bodies without a limit.
  outgoing.prependOnceListener('finish', () => {
    if (incoming.complete) return;
    const { socket } = incoming;
    let ends = false;
    socket.destroySoon = () => {
      ends = true;
      socket.end();
    };
    const deadline = setTimeout(() => socket.destroy(), UNREAD_BODY_MS);
    incoming.once('close', () => {
      clearTimeout(deadline);
      if (ends) socket.destroy();
      else delete (socket as Partial<Socket>).destroySoon;
    });
    let bytes = 0;
    const { push } = incoming;
    // Count and drop the chunk, because passing it to the stream would take far more time. Node's parser stops reading
    // from the socket if `push` returns false.
    incoming.push = (chunk: Buffer | null) => {
      if (chunk === null) return push.call(incoming, chunk);
      bytes += Math.max(chunk.byteLength, UNREAD_CHUNK_MIN_BYTES);
      return bytes <= UNREAD_BODY_MAX_BYTES;
    };
    incoming.read(0);
    incoming.resume();
  });
}

/** Limits how long a response may stay unread: clients that do not read responses could use up all connections. */
function boundUnreadResponse(socket: Socket, outgoing: ServerResponse, timeoutMs: number): void {
  // Because of this listener, Node does not close the connection itself. If no bytes wait to be sent, the client is
  // waiting for the server, so keep the connection.
  outgoing.setTimeout(timeoutMs, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}

const NOT_IN_TIME = 'The request was not sent in time.';

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Responds directly on the socket, and closes the connection even if the client keeps its side open. */
function respondRaw(socket: Duplex, response: ApiError, requestIds: Pick<Ids, 'nextBare'>, cause?: ClientError): void {
  // For a CONNECT, Node removes its listeners from the socket. An error without a listener would end the process.
  socket.on('error', () => socket.destroy());
  if (cause?.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(response.body);
  const head = [
    `HTTP/1.1 ${response.status} Refused`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${API_HEADERS.requestId}: ${requestIds.nextBare()}`,
    'Connection: close',
    ...Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const deadline = setTimeout(() => socket.destroy(), UNREAD_BODY_MS);
  socket.once('close', () => clearTimeout(deadline));
}

/** The target of a CONNECT request is not a path and allows no method, so the header Allow is empty. */
const noTunnel = () =>
  new ApiError('METHOD_NOT_ALLOWED', 'The server is not a proxy, so it does not support CONNECT.', { Allow: '' });

function toApiError({ code, rawPacket }: ClientError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('REQUEST_TIMEOUT', NOT_IN_TIME);
  if (code !== 'HPE_HEADER_OVERFLOW') return validation('The request is not valid HTTP/1.1.');
  const requestLine = /^[A-Z]+ [^\r\n]*/.exec(rawPacket?.toString('latin1') ?? '')?.[0] ?? '';
  return requestLine.length > REQUEST_HEADERS_MAX_BYTES / 2
    ? new ApiError('URI_TOO_LONG', 'The request target is too long.')
    : new ApiError('HEADERS_TOO_LARGE', `The headers exceed ${REQUEST_HEADERS_MAX_BYTES} bytes.`);
}
