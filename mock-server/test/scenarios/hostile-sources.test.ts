import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSource } from '../../src/lifecycle/open-source.ts';
import { NO_ADDRESSES } from '../../src/network/own-addresses.ts';
import { connectionRulesOf } from '../../src/start/check-config.ts';
import { sourceRulesOf } from '../../src/start/source-rules.ts';
import { flood, startRawReceiver } from '../support/delivery/hostile.ts';

const LOCAL = connectionRulesOf({ strict: false, allowNetworks: [] });

const KIB = 1024;
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n';

/** The most that may be read of a response that is too large: its budget, and what a socket buffers. */
const READ_MAX_BYTES = 256 * KIB;

const rules = sourceRulesOf(LOCAL, NO_ADDRESSES);

let sockets: Socket[];
const watch = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
beforeEach(() => {
  sockets = [];
  subscribe('net.client.socket', watch);
});
afterEach(() => unsubscribe('net.client.socket', watch));

/** Reads a source that responds like this. Each chunk takes some passes of the event loop. */
async function read(behave: (socket: Socket) => void, { passesPerChunk = 0, readRules = rules } = {}) {
  await using source = await startRawReceiver(behave);
  let bytes = 0;
  try {
    await using opened = await openSource(source.url, readRules, { stop: new AbortController().signal });
    for await (const chunk of opened.chunks) {
      bytes += chunk.length;
      for (let pass = 0; pass < passesPerChunk; pass++) await new Promise(setImmediate);
    }
  } finally {
    await vi.waitFor(() => expect(source.open.size).toBe(0));
  }
  return bytes;
}

describe('A data source', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['endless interim responses', (socket) => flood(socket, PROCESSING.repeat(1_000))],
    ['endless headers', (socket) => floodAfter(socket, OK, 'a:\r\n'.repeat(4_000))],
    ['an endless header', (socket) => floodAfter(socket, `${OK}x: `, 'y'.repeat(16 * KIB))],
    ['endless blank lines', (socket) => flood(socket, '\r\n'.repeat(4_000))],
    ['an endless chunk extension', (socket) => floodAfter(socket, `${CHUNKED}1`, ';x=y'.repeat(4_000))],
    ['endless trailers', (socket) => floodAfter(socket, `${CHUNKED}0\r\n`, 'a:\r\n'.repeat(4_000))],
    ['long chunk extensions', (socket) => floodAfter(socket, CHUNKED, `1;${'x'.repeat(KIB)}\r\ny\r\n`.repeat(16))],
  ])('that sends %s is cut early', async (_what, behave) => {
    await expect(read(behave)).rejects.toThrow(
      /^Cannot read \S+?(?: to its end)?: the headers or trailers of its response are too large\.$/,
    );
    for (const socket of sockets) expect(socket.bytesRead).toBeLessThanOrEqual(READ_MAX_BYTES);
  });

  it.each<[string, string, number]>([
    ['200 interim responses', `${PROCESSING.repeat(200)}${OK}content-length: 2\r\n\r\n{}`, 2],
    ['a header of 60 KiB', `${OK}x: ${'y'.repeat(60 * KIB)}\r\ncontent-length: 2\r\n\r\n{}`, 2],
    ['chunks of one byte', `${CHUNKED}${'1\r\nx\r\n'.repeat(50_000)}0\r\n\r\n`, 50_000],
    ['padded chunk sizes', `${CHUNKED}${'00000001\r\nx\r\n'.repeat(50_000)}0\r\n\r\n`, 50_000],
  ])('that sends %s is read', async (_what, response, bytes) => {
    expect(await read((socket) => socket.end(response))).toBe(bytes);
  });

  it.each<[string, (body: string) => string]>([
    ['of one length', (body) => `${OK}content-length: ${body.length}\r\n\r\n${body}`],
    ['in chunks', (body) => `${CHUNKED}${body.replace(/x{2000}/g, '7d0\r\n$&\r\n')}0\r\n\r\n`],
    ['up to the end of the connection', (body) => `${OK}connection: close\r\n\r\n${body}`],
  ])('that is faster than its reader is read to its end: a body %s', async (_what, respond) => {
    const body = 'x'.repeat(2_000).repeat(5 * KIB);
    expect(await read((socket) => socket.end(respond(body)), { passesPerChunk: 20 })).toBe(body.length);
  });

  it('waits for its share of the time to parse responses', async () => {
    let asked = 0;
    const readingTime: typeof rules.readingTime = {
      hasTime(resume) {
        if (asked++ % 2 === 1) return true;
        setImmediate(resume);
        return false;
      },
      wait: setImmediate,
      start: setImmediate,
    };
    const readRules = { ...rules, readingTime };
    const response = `${OK}content-length: ${40 * KIB}\r\n\r\n${'\n'.repeat(40 * KIB)}`;
    expect(await read((socket) => socket.end(response), { readRules })).toBe(40 * KIB);
    // It asks twice for each piece of 4 KiB.
    expect(asked).toBeGreaterThanOrEqual(20);
  });
});

function floodAfter(socket: Socket, start: string, again: string): void {
  socket.write(start);
  flood(socket, again);
}
