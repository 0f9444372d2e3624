import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createNodeServer } from '../../src/http/node-server.ts';

/** Starts a server that responds once it has read the body, and opens a connection that has sent the headers. */
async function begin(onPiece: (piece: Buffer) => void) {
  const read = Promise.withResolvers<void>();
  const server = createNodeServer(
    async () => {
      await read.promise;
      return new Response('read');
    },
    { nextBare: () => 'ID' },
  );
  server.on('request', (incoming: IncomingMessage) => {
    incoming.on('data', onPiece).on('end', read.resolve);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  return {
    send: (chunks: readonly string[]) =>
      void socket.write(chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')),
    /** Ends the body, and waits for the response. */
    async end() {
      socket.write('0\r\n\r\n');
      await once(socket, 'data');
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a body in these chunks at once, and returns the pieces in which the server reads it. */
async function piecesOf(chunks: readonly string[]): Promise<string[]> {
  const pieces: string[] = [];
  const body = await begin((piece) => pieces.push(String(piece)));
  body.send(chunks);
  await body.end();
  return pieces;
}

test('Chunks of one byte are read in few pieces, in their order', async () => {
  const chunks = Array.from({ length: 100_000 }, (_, index) => String(index % 10));
  const pieces = await piecesOf(chunks);
  expect(pieces.join('') === chunks.join('')).toBe(true);
  expect(pieces.length).toBeLessThan(1_000);
});

test('Chunks of more than 1 KiB are read as they were sent, in order with small ones', async () => {
  const large = ['a'.repeat(1_025), 'b'.repeat(1_025)] as const;
  expect(await piecesOf(['1', large[0], '2', '3', large[1], '4'])).toEqual(['1', large[0], '23', large[1], '4']);
});

test('Chunks of one byte that arrive one after the other keep little memory', async () => {
  const pieces: Buffer[] = [];
  const arrivals = new EventEmitter();
  const body = await begin((piece) => {
    pieces.push(piece);
    arrivals.emit('piece');
  });
  for (let sent = 0; sent < 2_000; sent++) {
    const arrived = once(arrivals, 'piece');
    body.send(['a']);
    await arrived;
  }
  await body.end();
  expect(pieces.join('')).toBe('a'.repeat(2_000));
  const kept = [...new Set(pieces.map(({ buffer }) => buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(kept).toBeLessThan(1024 * 1024);
});
