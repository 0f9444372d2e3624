import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EncryptedStream } from '../../../src/network/encrypted-stream.ts';
import type { ReadingTime } from '../../../src/network/parsing-time.ts';
import { limitTlsOverhead, TLS_EXTRA_MAX_BYTES } from '../../../src/network/tls-overhead.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A socket that has received this many bytes of content. */
class FakeSocket extends EventEmitter {
  bytesRead = 0;
  localAddress: string | undefined = '127.0.0.1';
  destroyed: Error | true | undefined;
  read = () => null;
  destroy(error?: Error) {
    this.destroyed = error ?? true;
    this.emit('close');
  }
}

const PLENTY: ReadingTime = { hasTime: () => true, wait: (read) => read(), start: (handshake) => handshake() };

/**
 * Connects to a peer. Returns the raw socket, the stream of its encrypted bytes, the socket that carries the content, and
 * each call of the connector.
 */
function connect(protocol: 'http:' | 'https:', failure?: Error, raw = new FakeSocket(), time = PLENTY) {
  const content = new FakeSocket();
  const calls: buildConnector.Options[] = [];
  const connector: buildConnector.connector = (options, callback) => {
    calls.push(options);
    const isTls = options.protocol === 'https:';
    const socket = isTls ? content : raw;
    if (isTls && failure) callback(failure, null);
    else callback(null, socket as unknown as Socket);
    return socket;
  };
  const result = vi.fn();
  limitTlsOverhead(
    connector,
    time,
    () => undefined,
  )({ hostname: 'a.test', host: 'a.test', protocol, port: '' }, result);
  return { raw, encrypted: calls[1]?.httpSocket as unknown as EncryptedStream, content, calls, result };
}

describe('A TLS connection', () => {
  it('is destroyed within 100 ms after 128 KiB without content, and not before', () => {
    const { encrypted, content } = connect('https:');
    encrypted.bytesPassed = TLS_EXTRA_MAX_BYTES;
    vi.advanceTimersByTime(100);
    expect(content.destroyed).toBe(undefined);
    encrypted.bytesPassed++;
    vi.advanceTimersByTime(100);
    expect(content.destroyed).toMatchObject({ code: 'ERR_TLS_TOO_LITTLE_CONTENT' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is destroyed at its 21st session ticket or key update, and not before', () => {
    const { content } = connect('https:');
    for (let count = 0; count < 10; count++) {
      content.emit('session');
      content.emit('keylog', Buffer.from('SERVER_TRAFFIC_SECRET_N 00 11\n'));
      content.emit('keylog', Buffer.from('CLIENT_TRAFFIC_SECRET_N 00 11\n'));
    }
    expect(content.destroyed).toBe(undefined);
    content.emit('keylog', Buffer.from('SERVER_TRAFFIC_SECRET_N 00 11\n'));
    expect(content.destroyed).toMatchObject({ code: 'ERR_TLS_TOO_LITTLE_CONTENT' });
  });

  it('is destroyed if the server requests a renegotiation', () => {
    const { content } = connect('https:');
    content.emit('secure');
    expect(content.destroyed).toMatchObject({ code: 'ERR_TLS_RENEGOTIATION' });
  });

  it('is destroyed if TLS fails after the handshake', () => {
    const { content } = connect('https:');
    const failure = new Error('bad record mac');
    content.emit('error', failure);
    expect(content.destroyed).toBe(failure);
  });

  it('may receive four bytes for each byte of content', () => {
    const { encrypted, content } = connect('https:');
    content.bytesRead = 10 * TLS_EXTRA_MAX_BYTES;
    encrypted.bytesPassed = 41 * TLS_EXTRA_MAX_BYTES;
    vi.advanceTimersByTime(100);
    expect(content.destroyed).toBe(undefined);
    encrypted.bytesPassed++;
    vi.advanceTimersByTime(100);
    expect(content.destroyed).toMatchObject({ code: 'ERR_TLS_TOO_LITTLE_CONTENT' });
  });

  it('is not checked after it is closed', () => {
    const { content } = connect('https:');
    expect(vi.getTimerCount()).toBe(1);
    content.emit('close');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is made in one step if the raw socket is not of a network', () => {
    const replaced = new FakeSocket();
    replaced.localAddress = undefined;
    const { raw, content, calls, result } = connect('https:', undefined, replaced);
    expect(raw.destroyed).toBe(true);
    expect(calls.map(({ protocol, httpSocket }) => [protocol, httpSocket])).toEqual([
      ['http:', undefined],
      ['https:', undefined],
    ]);
    expect(result).toHaveBeenCalledExactlyOnceWith(null, content);
  });

  it('is made over a raw connection to port 443', () => {
    const { content, calls, result } = connect('https:');
    expect(calls).toMatchObject([
      { protocol: 'http:', hostname: 'a.test', port: '443' },
      { protocol: 'https:', hostname: 'a.test', port: '443', httpSocket: expect.any(EncryptedStream) },
    ]);
    expect(result.mock.calls).toEqual([[null, content]]);
  });

  it('begins its handshake when there is reading time', () => {
    const waiting: (() => void)[] = [];
    const time = { ...PLENTY, start: (handshake: () => void) => void waiting.push(handshake) };
    const { calls, result } = connect('https:', undefined, new FakeSocket(), time);
    expect(calls).toHaveLength(1);
    waiting[0]?.();
    expect(calls).toHaveLength(2);
    expect(result).toHaveBeenCalledOnce();
  });

  it('whose raw connection fails while the handshake waits for time is not made', () => {
    const reset = new Error('reset');
    const raw = Object.assign(new FakeSocket(), { destroyed: true as const, errored: reset });
    const { calls, result } = connect('https:', undefined, raw);
    expect(calls).toHaveLength(1);
    expect(result.mock.calls).toEqual([[reset, null]]);
  });

  it('that fails closes its raw connection', () => {
    const failure = new Error('no');
    const { raw, result } = connect('https:', failure);
    expect(raw.destroyed).toBe(true);
    expect(result.mock.calls).toEqual([[failure, null]]);
  });
});

it('a connection without TLS is not checked', () => {
  const { raw, calls, result } = connect('http:');
  expect(calls).toMatchObject([{ protocol: 'http:', port: '' }]);
  expect(result.mock.calls).toEqual([[null, raw]]);
  expect(vi.getTimerCount()).toBe(0);
});
