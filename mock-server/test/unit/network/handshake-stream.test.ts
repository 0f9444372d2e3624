import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { HANDSHAKE_MAX_BYTES, HandshakeStream, HandshakeTooLargeError } from '../../../src/network/handshake-stream.ts';

/** A handshake, the socket that it reads from, and the pieces that come out. */
function startHandshake(wait: (read: () => void) => void = setImmediate) {
  const raw = new PassThrough();
  const stream = new HandshakeStream(raw as unknown as Socket, { hasTime: () => true, wait }, undefined);
  const pieces: string[] = [];
  return { raw, stream, pieces, read: () => stream.on('data', (piece) => pieces.push(String(piece))) };
}

test('A piece that waits for time comes before the next one, even if the reader begins meanwhile', async () => {
  const waiting: (() => void)[] = [];
  const { raw, pieces, read } = startHandshake((resume) => void waiting.push(resume));
  raw.write('first ');
  await nextPass();
  read();
  raw.write('second');
  await nextPass();
  expect(pieces).toEqual([]);
  waiting[0]?.();
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  waiting[1]?.();
  expect(pieces.join('')).toBe('first second');
});

test('A connection that fails while a piece waits for time fails the stream', async () => {
  const waiting: (() => void)[] = [];
  const { raw, stream } = startHandshake((resume) => void waiting.push(resume));
  const failed = new Promise((resolve) => stream.on('error', resolve));
  raw.write('first');
  await nextPass();
  stream.endHandshake();
  const reset = new Error('reset');
  raw.destroy(reset);
  expect(await failed).toBe(reset);
  waiting[0]?.();
});

test('A handshake of the maximum size passes, and one byte more ends the connection', async () => {
  const fits = startHandshake();
  fits.read();
  fits.raw.write(Buffer.alloc(HANDSHAKE_MAX_BYTES, 'a'));
  await expect.poll(() => fits.pieces.join('').length).toBe(HANDSHAKE_MAX_BYTES);

  const exceeds = startHandshake();
  exceeds.read();
  const failed = new Promise((resolve) => exceeds.stream.on('error', resolve));
  exceeds.raw.write(Buffer.alloc(HANDSHAKE_MAX_BYTES + 1, 'a'));
  expect(await failed).toBeInstanceOf(HandshakeTooLargeError);
  expect(exceeds.raw.destroyed).toBe(true);
});

test('After the handshake, the size is not limited', async () => {
  const { raw, stream, pieces, read } = startHandshake();
  read();
  stream.endHandshake();
  raw.write(Buffer.alloc(2 * HANDSHAKE_MAX_BYTES, 'a'));
  await expect.poll(() => pieces.join('').length).toBe(2 * HANDSHAKE_MAX_BYTES);
});

test('After the handshake, a failure of the connection ends the stream once all bytes that arrived are read', async () => {
  const { raw, stream, pieces, read } = startHandshake();
  stream.endHandshake();
  raw.write('response');
  await nextPass();
  raw.destroy(new Error('reset'));
  await nextPass();
  read();
  await new Promise((resolve) => stream.on('end', resolve));
  expect(pieces).toEqual(['response']);
});

test('During the handshake, a failure of the connection fails the stream', async () => {
  const { raw, stream } = startHandshake();
  const failed = new Promise((resolve) => stream.on('error', resolve));
  const reset = new Error('reset');
  raw.destroy(reset);
  expect(await failed).toBe(reset);
});
