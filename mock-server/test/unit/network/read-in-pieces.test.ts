import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createReadingTime, type ReadingTime } from '../../../src/network/parsing-time.ts';
import { OtherProtocolError, ResponseTooLargeError, readInPieces } from '../../../src/network/read-in-pieces.ts';
import { OVERHEAD_MAX_BYTES } from '../../../src/network/response-budget.ts';

const LARGEST_PIECE_BYTES = 4 * 1024;

/** A connection and a reader that, like undici, reads until nothing is left. */
function startParser(options: { bodyFrom?: number; time?: ReadingTime } = {}) {
  const socket = new PassThrough({ highWaterMark: 4 * 1024 * 1024 });
  let failure: Error | undefined;
  socket.on('error', (error) => {
    failure = error;
  });
  const reader = readInPieces(socket as unknown as Socket, options.time ?? createReadingTime(() => 0));
  const pieces: Buffer[] = [];
  let bytes = 0;
  socket.on('readable', () => {
    for (let piece = socket.read(); piece !== null; piece = socket.read()) {
      const bodyBytes = Math.min(piece.length, Math.max(0, bytes + piece.length - (options.bodyFrom ?? Infinity)));
      if (bodyBytes > 0) reader.addBody(bodyBytes);
      pieces.push(piece);
      bytes += piece.length;
    }
  });
  return {
    socket,
    reader,
    read: () => Buffer.concat(pieces),
    largest: () => Math.max(...pieces.map((piece) => piece.length)),
    failure: () => failure,
  };
}

const nextPass = () => new Promise(setImmediate);

describe('A connection that is read in pieces', () => {
  it('passes everything to undici in small pieces', async () => {
    const parser = startParser({ bodyFrom: 20 });
    const sent = Buffer.alloc(1024 * 1024, 'HTTP/1.1 200 OK\r\n\r\nbody\r\n');
    parser.socket.write(sent);
    await nextPass();
    expect(parser.read().equals(sent)).toBe(true);
    expect(parser.largest()).toBe(LARGEST_PIECE_BYTES);
    expect(parser.failure()).toBe(undefined);
  });

  it.each(['ECONNRESET', 'ERR_SSL_BAD_RECORD_MAC'])(
    'fails with %s only when undici has read the response that came before',
    async (code) => {
      const parser = startParser({ time: createReadingTime(() => 0, 0) });
      const response = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
      parser.socket.write(response);
      const failure = Object.assign(new Error('failed'), { code });
      parser.socket.emit('readable');
      parser.socket.destroy(failure);
      expect([String(parser.read()), parser.socket.destroyed]).toEqual(['', false]);
      await expect.poll(parser.failure).toBe(failure);
      expect(String(parser.read())).toBe(response);
    },
  );

  it('does not end before it fails', async () => {
    const parser = startParser({ time: createReadingTime(() => 0, 0) });
    let ended = false;
    parser.socket.on('end', () => {
      ended = true;
    });
    parser.socket.end('HTTP/1.1 200 OK\r\n\r\nhalf');
    const failure = Object.assign(new Error('failed'), { code: 'ERR_SSL_BAD_RECORD_MAC' });
    parser.socket.destroy(failure);
    await expect.poll(parser.failure).toBe(failure);
    await nextPass();
    expect([String(parser.read()), ended]).toEqual(['HTTP/1.1 200 OK\r\n\r\nhalf', false]);
  });

  it('fails at once after another error', async () => {
    const parser = startParser({ time: createReadingTime(() => 0, 0) });
    parser.socket.write('HTTP/1.1 200 OK\r\n\r\n');
    parser.socket.emit('readable');
    const error = new Error('The attempt has timed out.');
    parser.socket.destroy(error);
    expect(parser.socket.destroyed).toBe(true);
    await expect.poll(parser.failure).toBe(error);
    expect(String(parser.read())).toBe('');
  });

  it.each([
    ['a burst of tiny headers', `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(250_000)}\r\n`],
    ['an endless header', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1024 * 1024)}`],
    ['blank lines', '\r\n'.repeat(500_000)],
  ])('is destroyed at the first piece that is too much: %s', async (_what, answer) => {
    const parser = startParser();
    parser.socket.write(answer);
    await nextPass();
    expect(parser.failure()).toBeInstanceOf(ResponseTooLargeError);
    expect(parser.socket.destroyed).toBe(true);
    expect(parser.read().length).toBeLessThanOrEqual(OVERHEAD_MAX_BYTES + LARGEST_PIECE_BYTES);
  });

  it('gets the whole budget again for the next response, and not before', async () => {
    const parser = startParser();
    for (let count = 0; count < 10; count++) {
      parser.reader.expectResponse('owner');
      parser.socket.write('HTTP/1.1 200 '.padEnd(OVERHEAD_MAX_BYTES, 'x'));
      await nextPass();
    }
    expect(parser.failure()).toBe(undefined);
    parser.socket.write('x');
    await nextPass();
    expect(parser.failure()).toBeInstanceOf(ResponseTooLargeError);
  });

  it('may skip lines before its response, and is destroyed if that is not of HTTP/1', async () => {
    const parser = startParser();
    parser.reader.expectResponse('owner');
    parser.socket.write('\r\nHTT');
    await nextPass();
    parser.socket.write('P/1.0 200 OK\r\n\r\n');
    await nextPass();
    expect(parser.failure()).toBe(undefined);

    parser.reader.expectResponse('owner');
    parser.socket.write('HTTP/');
    await nextPass();
    expect(parser.failure()).toBe(undefined);
    parser.socket.write('2.0 200 OK\r\n\r\n');
    await nextPass();
    expect(parser.failure()).toBeInstanceOf(OtherProtocolError);
    expect(parser.read().toString()).not.toContain('2.0');
  });

  it('is read to its end in later passes when the reading time is over', async () => {
    let now = 0;
    const parser = startParser({ bodyFrom: 0, time: createReadingTime(() => now++) });
    const ended = new Promise((resolve) => parser.socket.once('end', resolve));
    const sent = Buffer.alloc(20 * LARGEST_PIECE_BYTES, 'abc');
    parser.socket.end(sent);
    await nextPass();
    expect(parser.read().length).toBeLessThan(sent.length);
    await ended;
    expect(parser.read().equals(sent)).toBe(true);
  });
});
