import type { Socket } from 'node:net';

/** What a receiver does with a connection after a request has arrived on it. */
export type Behaviour = (socket: Socket) => void;

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

/** Writes the start of a response, and then repeats a piece as fast as the other side reads. */
const floods =
  (start: string, again: string): Behaviour =>
  (socket) => {
    const piece = Buffer.from(again);
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.write(start);
    socket.on('drain', more);
    more();
  };

/** Writes the start of a response, and then writes the same piece again and again at an interval. */
const drips =
  (start: string, again: string, intervalMs: number): Behaviour =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(again), intervalMs);
    socket.on('close', () => clearInterval(timer));
  };

/** Writes the whole text at once. */
const bursts = (text: string): Behaviour => {
  const whole = Buffer.from(text);
  return (socket) => void socket.write(whole);
};

const tinyHeaders = Array.from({ length: 250_000 }, (_, index) => `${index.toString(36)}:\r\n`).join('');
const hints = `HTTP/1.1 103 Early Hints\r\n${Array.from({ length: 2_000 }, (_, index) => `x-${index}: y\r\n`).join('')}\r\n`;

/** The connections on which the receiver has already sent a good response. */
const responded = new WeakSet<Socket>();

/** The behaviors of the receivers, keyed by URL path. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  // A receiver that is not hostile, for comparison with the hostile receivers.
  good: bursts(`${OK}content-length: 0\r\n\r\n`),
  reset: (socket) => socket.resetAndDestroy(),
  'header-pieces': floods(OK, `x-piece: ${'y'.repeat(544 - 'x-piece: \r\n'.length)}\r\n`.repeat(30)),
  'long-header': floods(`${OK}x-long: `, 'y'.repeat(0x4000)),
  'long-status-line': floods('HTTP/1.1 200 ', 'y'.repeat(0x4000)),
  'empty-headers': bursts(`${OK}${'a:\r\n'.repeat(60_000)}content-length: 0\r\n\r\n`),
  'tiny-headers': bursts(`${OK}${tinyHeaders}content-length: 0\r\n\r\n`),
  'header-lines': floods(OK, 'a:\r\n'.repeat(4_000)),
  'blank-lines': floods('', '\r\n'.repeat(8_000)),
  interim: bursts(`${hints.repeat(30)}${OK}content-length: 0\r\n\r\n`),
  trailers: floods(`${CHUNKED}0\r\n`, 'a:\r\n'.repeat(4_000)),
  'long-trailer': floods(`${CHUNKED}0\r\nx: `, 'y'.repeat(0x4000)),
  'chunk-extension': floods(`${CHUNKED}1`, ';x=y'.repeat(4_000)),
  'endless-body': floods(CHUNKED, `4000\r\n${'x'.repeat(0x4000)}\r\n`),
  'tiny-chunks': floods(CHUNKED, '1\r\nx\r\n'.repeat(3_000)),
  drip: drips(CHUNKED, '1\r\nx\r\n'.repeat(200), 50),
  'endless-head': drips(`${OK}x-long: `, 'y'.repeat(64), 20),
  silent: () => {},
  'half-open': (socket) => {
    // The connection is dead but not closed: the receiver reads no more data and does not respond.
    if (responded.has(socket)) socket.pause();
    else socket.write(`${OK}content-length: 0\r\n\r\n`);
    responded.add(socket);
  },
};
