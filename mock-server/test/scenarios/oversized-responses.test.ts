import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Connections, createConnections } from '../../src/delivery/sending/connections.ts';
import { createNetworkSender } from '../../src/delivery/sending/send-over-network.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { attempted } from '../support/delivery/attempted.ts';
import { flood, startRawReceiver } from '../support/delivery/hostile.ts';

const KIB = 1024;
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const hints = (headers: number) => `HTTP/1.1 103 Early Hints\r\n${'link: </a>\r\n'.repeat(headers)}\r\n`;
const headers = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}: y\r\n`).join('');

/** The most that may be read of a response that is too large: its budget, and what a socket buffers. */
const READ_MAX_BYTES = 256 * KIB;

describe('A response with too many headers', () => {
  let connections: Connections;
  /** All sockets of attempts and receivers. */
  let sockets: Socket[];
  const watch = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  beforeEach(() => {
    connections = createConnections(createAddressRules({ allowLoopback: true, allowNetworks: [] }), 10_000);
    sockets = [];
    subscribe('net.client.socket', watch);
  });
  afterEach(async () => {
    unsubscribe('net.client.socket', watch);
    await connections.destroy();
  });

  async function attempt(behave: (socket: Socket) => void) {
    await using receiver = await startRawReceiver(behave);
    const send = createNetworkSender(connections, 10_000);
    const exchange = await send({ url: receiver.url, headers: {}, body: '{}' }, attempted);
    const isCut = () => vi.waitFor(() => expect(receiver.open.size).toBe(0));
    return { exchange, isCut, connections: receiver.connections };
  }

  it.each<[string, (socket: Socket) => void]>([
    ['60,000 empty headers', (socket) => socket.write(`${OK}${'a:\r\n'.repeat(60_000)}content-length: 0\r\n\r\n`)],
    ['250,000 tiny headers at once', (socket) => socket.write(`${OK}${headers(250_000)}content-length: 0\r\n\r\n`)],
    ['30 interim responses of 2,000 headers', (socket) => socket.write(`${hints(2_000).repeat(30)}${OK}\r\n`)],
    ['interim responses that are too large together', (socket) => socket.write(`${hints(30).repeat(30)}${OK}\r\n`)],
    ['endless headers of 544 bytes', (socket) => floodAfter(socket, OK, `x: ${'y'.repeat(539)}\r\n`)],
    ['an endless header', (socket) => floodAfter(socket, `${OK}x: `, 'y'.repeat(16 * KIB))],
    ['an endless status line', (socket) => floodAfter(socket, 'HTTP/1.1 200 ', 'y'.repeat(16 * KIB))],
    ['endless blank lines', (socket) => flood(socket, '\r\n'.repeat(4_000))],
    ['endless empty trailers', (socket) => floodAfter(socket, `${CHUNKED}0\r\n`, 'a:\r\n'.repeat(4_000))],
    ['an endless trailer', (socket) => floodAfter(socket, `${CHUNKED}0\r\nx: `, 'y'.repeat(16 * KIB))],
    ['an endless chunk extension', (socket) => floodAfter(socket, `${CHUNKED}1`, ';x=y'.repeat(4_000))],
  ])('fails the attempt, and its connection is cut early: %s', async (_what, behave) => {
    const { exchange, isCut } = await attempt(behave);
    expect(exchange).toMatchObject({ error: 'Response headers too large' });
    await isCut();
    for (const socket of sockets) expect(socket.bytesRead).toBeLessThanOrEqual(READ_MAX_BYTES);
  });

  it.each<[string, string]>([
    ['512 lines', `${OK}${headers(509)}content-length: 2\r\n\r\nok`],
    ['a header of 60 KiB', `${OK}x: ${'y'.repeat(60 * KIB)}\r\ncontent-length: 2\r\n\r\nok`],
    ['interim responses', `${hints(10).repeat(30)}${OK}content-length: 2\r\n\r\nok`],
    ['trailers', `${CHUNKED}2\r\nok\r\n0\r\n${headers(400)}\r\n`],
    ['chunk extensions', `${CHUNKED}1;${'x'.repeat(KIB)}=y\r\no\r\n1;x\r\nk\r\n0\r\n\r\n`],
  ])('is accepted as long as it stays within the limits: %s', async (_what, answer) => {
    const { exchange } = await attempt((socket) => socket.write(answer));
    expect(exchange).toMatchObject({ response: { status: 200, body: 'ok' } });
  });

  it('leaves the whole budget to the next response over a connection', async () => {
    await using receiver = await startRawReceiver((socket) =>
      socket.write(`${OK}${headers(400)}content-length: 2\r\n\r\nok`),
    );
    const send = createNetworkSender(connections, 10_000);
    for (let count = 0; count < 5; count++) {
      const exchange = await send({ url: receiver.url, headers: {}, body: '{}' }, attempted);
      expect(exchange).toMatchObject({ response: { status: 200 } });
    }
    expect(receiver).toMatchObject({ connections: 1, requests: 5 });
  });
});

function floodAfter(socket: Socket, start: string, again: string): void {
  socket.write(start);
  flood(socket, again);
}
