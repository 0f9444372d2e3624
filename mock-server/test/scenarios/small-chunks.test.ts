import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createNodeServer } from '../../src/http/node-server.ts';

/** Sends a body in these chunks, and returns the pieces in which the server reads it. */
async function piecesOf(chunks: readonly string[]): Promise<string[]> {
  const pieces: string[] = [];
  const read = Promise.withResolvers<void>();
  const server = createNodeServer(
    async () => {
      await read.promise;
      return new Response('read');
    },
    { nextBare: () => 'ID' },
  );
  server.on('request', (incoming: IncomingMessage) => {
    incoming.on('data', (piece: Buffer) => pieces.push(String(piece))).on('end', read.resolve);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
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
  const read = Promise.withResolvers<void>();
  const server = createNodeServer(
    async () => {
      await read.promise;
      return new Response('read');
    },
    { nextBare: () => 'ID' },
  );
  server.on('request', (incoming: IncomingMessage) => {
    incoming.on('end', read.resolve).on('data', (piece: Buffer) => {
      pieces.push(piece);
      server.emit('piece');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let sent = 0; sent < 2_000; sent++) {
    const arrived = once(server, 'piece');
    socket.write('1\r\na\r\n');
    await arrived;
  }
  socket.write('0\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await new Promise((closed) => server.close(closed));
  expect(pieces.join('')).toBe('a'.repeat(2_000));
  const kept = [...new Set(pieces.map(({ buffer }) => buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(kept).toBeLessThan(1024 * 1024);
});
