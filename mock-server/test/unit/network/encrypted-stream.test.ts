import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { EncryptedStream } from '../../../src/network/encrypted-stream.ts';
import { HANDSHAKE_MAX_BYTES } from '../../../src/network/handshake-reader.ts';
import { TLS_1_2_HANDSHAKE, tlsRecord } from '../../support/tls-records.ts';

/** A handshake, the socket that it reads from, and the pieces that come out. */
function startHandshake({
  wait = setImmediate as (read: () => void) => void,
  hasTime = (_resume: () => void): boolean => true,
} = {}) {
  const raw = new PassThrough();
  const stream = new EncryptedStream(raw as unknown as Socket, { hasTime, wait }, () => undefined);
  const pieces: string[] = [];
  return { raw, stream, pieces, read: () => stream.on('data', (piece) => pieces.push(piece.toString('latin1'))) };
}

/** Like {@link startHandshake}, but the handshake has ended and nobody has read its bytes. */
async function startAfterHandshake(options?: Parameters<typeof startHandshake>[0]) {
  const started = startHandshake(options);
  started.raw.write(TLS_1_2_HANDSHAKE);
  await expect.poll(() => started.stream.readableLength).toBe(TLS_1_2_HANDSHAKE.length);
  for (let piece = started.stream.read(); piece; piece = started.stream.read());
  return started;
}

test('A handshake waits for time, and all records that have arrived by then pass', async () => {
  const waiting: (() => void)[] = [];
  const { raw, pieces, read } = startHandshake({ wait: (resume) => void waiting.push(resume) });
  const alert = tlsRecord(21, '\x01\x00').toString('latin1');
  raw.write(alert, 'latin1');
  await nextPass();
  read();
  raw.write(`${alert}\x15\x03`, 'latin1');
  await nextPass();
  expect(pieces).toEqual([]);
  expect(waiting).toHaveLength(1);
  waiting[0]?.();
  expect(pieces.join('')).toBe(alert + alert);
});

test('A handshake that the reader refuses ends the connection', async () => {
  const { raw, stream, pieces, read } = startHandshake();
  read();
  const failed = new Promise((resolve) => stream.on('error', resolve));
  raw.write(tlsRecord(23, 'x'));
  expect(await failed).toMatchObject({ code: 'ERR_TLS_UNEXPECTED_MESSAGE' });
  expect(raw.destroyed).toBe(true);
  expect(pieces).toEqual([]);
});

test('A connection that fails during the handshake fails the stream after the bytes that arrived before', async () => {
  const waiting: (() => void)[] = [];
  const { raw, stream, pieces, read } = startHandshake({ wait: (resume) => void waiting.push(resume) });
  read();
  const failed = new Promise((resolve) => stream.on('error', resolve));
  const alert = tlsRecord(21, 'x');
  raw.write(alert);
  await nextPass();
  const reset = new Error('reset');
  raw.destroy(reset);
  await nextPass();
  expect(stream.destroyed).toBe(false);
  waiting[0]?.();
  expect(await failed).toBe(reset);
  expect(pieces).toEqual([alert.toString()]);
});

test('A handshake that is too large ends the connection, even while it waits for time', async () => {
  const { raw, stream } = startHandshake({ wait: () => {} });
  const failed = new Promise((resolve) => stream.on('error', resolve));
  for (let count = 0; count < 2; count++) raw.write(Buffer.alloc(HANDSHAKE_MAX_BYTES / 2));
  await nextPass();
  expect(raw.destroyed).toBe(false);
  raw.write('x');
  expect(await failed).toMatchObject({ code: 'ERR_TLS_HANDSHAKE_TOO_LARGE' });
  expect(raw.destroyed).toBe(true);
});

test('After the handshake, the size is not limited', async () => {
  const { raw, pieces, read } = await startAfterHandshake();
  read();
  raw.write(Buffer.alloc(2 * HANDSHAKE_MAX_BYTES, 'a'));
  await expect.poll(() => pieces.join('').length).toBe(2 * HANDSHAKE_MAX_BYTES);
});

test('After the handshake, a failure of the connection ends the stream once all bytes that arrived are read', async () => {
  const { raw, stream, pieces, read } = await startAfterHandshake();
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
    const started = await startAfterHandshake({
      hasTime(resume) {
        if (!hasTime) waiting.push(resume);
        return hasTime;
      },
    });
    started.read();
    started.raw.write(Buffer.alloc(40_000, 'a'));
    await nextPass();
    return { ...started, waiting, getTime: () => (hasTime = true) };
  }

  test('bytes wait, and then pass in pieces of at most 16 KiB', async () => {
    const { pieces, waiting, getTime, stream } = await startWaiting();
    expect(pieces).toEqual([]);
    expect(stream.bytesPassed).toBe(TLS_1_2_HANDSHAKE.length);
    expect(waiting).toHaveLength(1);
    getTime();
    waiting[0]?.();
    expect(pieces.map((piece) => piece.length)).toEqual([16_384, 16_384, 40_000 - 2 * 16_384]);
    expect(stream.bytesPassed).toBe(TLS_1_2_HANDSHAKE.length + 40_000);
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
    for (let count = 0; count < 2; count++) raw.write(Buffer.alloc(10_000, 'b'));
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
  const { raw, stream, pieces, read } = await startAfterHandshake();
  read();
  stream.pause();
  raw.write(Buffer.alloc(60_000, 'a'));
  await nextPass();
  expect(stream.readableLength).toBe(16_384);
  stream.resume();
  await expect.poll(() => pieces.join('').length).toBe(60_000);
});
