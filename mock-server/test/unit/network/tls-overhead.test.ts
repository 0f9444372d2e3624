import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EncryptedStream } from '../../../src/network/encrypted-stream.ts';
import { createReadingTime } from '../../../src/network/parsing-time.ts';
import { limitTlsOverhead, TLS_EXTRA_MAX_BYTES, TlsOverheadError } from '../../../src/network/tls-overhead.ts';

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

/**
 * Connects to a peer. Returns the raw socket, the stream of its encrypted bytes, the socket that carries the content, and
 * each call of the connector.
 */
function connect(protocol: 'http:' | 'https:', failure?: Error, raw = new FakeSocket()) {
  const content = new FakeSocket();
  const calls: buildConnector.Options[] = [];
  const connector: buildConnector.connector = (options, callback) => {
    calls.push(options);
    const isTls = options.protocol === 'https:';
    if (isTls && failure) callback(failure, null);
    else callback(null, (isTls ? content : raw) as unknown as Socket);
  };
  const result = vi.fn();
  limitTlsOverhead(
    connector,
    createReadingTime(),
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
    expect(content.destroyed).toBeInstanceOf(TlsOverheadError);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is destroyed at its 21st session ticket, and not before', () => {
    const { content } = connect('https:');
    for (let ticket = 0; ticket < 20; ticket++) content.emit('session');
    expect(content.destroyed).toBe(undefined);
    content.emit('session');
    expect(content.destroyed).toBeInstanceOf(TlsOverheadError);
  });

  it('may receive four bytes for each byte of content', () => {
    const { encrypted, content } = connect('https:');
    content.bytesRead = 10 * TLS_EXTRA_MAX_BYTES;
    encrypted.bytesPassed = 41 * TLS_EXTRA_MAX_BYTES;
    vi.advanceTimersByTime(100);
    expect(content.destroyed).toBe(undefined);
    encrypted.bytesPassed++;
    vi.advanceTimersByTime(100);
    expect(content.destroyed).toBeInstanceOf(TlsOverheadError);
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
