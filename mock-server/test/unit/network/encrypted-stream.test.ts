import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { EncryptedStream, HANDSHAKE_MAX_BYTES, HandshakeTooLargeError } from '../../../src/network/encrypted-stream.ts';

/** A handshake, the socket that it reads from, and the pieces that come out. */
function startHandshake({
  wait = setImmediate as (read: () => void) => void,
  hasTime = (_resume: () => void): boolean => true,
} = {}) {
  const raw = new PassThrough();
  const stream = new EncryptedStream(raw as unknown as Socket, { hasTime, wait }, () => undefined);
  const pieces: string[] = [];
  return { raw, stream, pieces, read: () => stream.on('data', (piece) => pieces.push(String(piece))) };
}

test('A piece that waits for time comes before the next one, even if the reader begins meanwhile', async () => {
  const waiting: (() => void)[] = [];
  const { raw, pieces, read } = startHandshake({ wait: (resume) => void waiting.push(resume) });
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

test('A connection that fails during the handshake fails the stream after the bytes that arrived before', async () => {
  const waiting: (() => void)[] = [];
  const { raw, stream, pieces, read } = startHandshake({ wait: (resume) => void waiting.push(resume) });
  read();
  const failed = new Promise((resolve) => stream.on('error', resolve));
  raw.write('alert');
  await nextPass();
  const reset = new Error('reset');
  raw.destroy(reset);
  await nextPass();
  expect(stream.destroyed).toBe(false);
  waiting[0]?.();
  expect(await failed).toBe(reset);
  expect(pieces).toEqual(['alert']);
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

describe('After the handshake, without time,', () => {
  /** A stream that has waited for time once and got a long response meanwhile. */
  async function startWaiting() {
    const waiting: (() => void)[] = [];
    let hasTime = false;
    const started = startHandshake({
      hasTime(resume) {
        if (!hasTime) waiting.push(resume);
        return hasTime;
      },
    });
    started.read();
    started.stream.endHandshake();
    started.raw.write(Buffer.alloc(40_000, 'a'));
    await nextPass();
    return { ...started, waiting, getTime: () => (hasTime = true) };
  }

  test('bytes wait, and then pass in pieces of at most 16 KiB', async () => {
    const { pieces, waiting, getTime, stream } = await startWaiting();
    expect(pieces).toEqual([]);
    expect(stream.bytesPassed).toBe(0);
    expect(waiting).toHaveLength(1);
    getTime();
    waiting[0]?.();
    expect(pieces.map((piece) => piece.length)).toEqual([16_384, 16_384, 40_000 - 2 * 16_384]);
    expect(stream.bytesPassed).toBe(40_000);
  });

  test.each([new Error('reset'), undefined])(
    'a connection that ends (%s) ends the stream after these bytes',
    async (error) => {
      const { raw, stream, pieces, waiting, getTime } = await startWaiting();
      const ended = new Promise((resolve) => stream.on('end', resolve));
      raw.destroy(error);
      await nextPass();
      expect(stream.readableEnded).toBe(false);
      getTime();
      waiting[0]?.();
      await ended;
      expect(pieces.join('')).toHaveLength(40_000);
    },
  );

  test('a connection that fails with bytes in the buffer of its socket ends the stream after these bytes', async () => {
    const { raw, stream, pieces, waiting, getTime } = await startWaiting();
    const ended = new Promise((resolve) => stream.on('end', resolve));
    raw.write(Buffer.alloc(20_000, 'b'));
    await nextPass();
    expect(raw.readableLength).toBe(20_000);
    raw.destroy(new Error('reset'));
    await nextPass();
    getTime();
    waiting[0]?.();
    await ended;
    expect(pieces.join('')).toBe('a'.repeat(40_000) + 'b'.repeat(20_000));
  });

  test('the socket is not read, so its buffer limits what waits', async () => {
    const { raw, waiting, getTime } = await startWaiting();
    expect(raw.isPaused()).toBe(true);
    getTime();
    waiting[0]?.();
    expect(raw.isPaused()).toBe(false);
  });

  test('a stream that is destroyed meanwhile passes nothing', async () => {
    const { stream, pieces, waiting, getTime } = await startWaiting();
    stream.destroy();
    getTime();
    waiting[0]?.();
    await nextPass();
    expect(pieces).toEqual([]);
  });
});

test('A reader that pauses gets at most one more piece into the buffer of the stream', async () => {
  const { raw, stream, pieces, read } = startHandshake();
  stream.endHandshake();
  read();
  stream.pause();
  raw.write(Buffer.alloc(60_000, 'a'));
  await nextPass();
  expect(stream.readableLength).toBe(16_384);
  stream.resume();
  await expect.poll(() => pieces.join('').length).toBe(60_000);
});
