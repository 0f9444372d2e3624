import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../src/delivery/sending/connections.ts';
import { createNetworkSender } from '../../src/delivery/sending/send-over-network.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { type ResolveName, UnresolvedNameError } from '../../src/network/resolve-name.ts';
import { attempted } from '../support/delivery/attempted.ts';
import { startDeafReceiver } from '../support/delivery/deaf.ts';
import { startRawReceiver } from '../support/delivery/hostile.ts';

// All tests share one fake clock, because undici's client keeps a timer from its first use on.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const TAKEN = { response: { status: 200, headers: { 'content-length': '2' }, body: 'ok' } };

/** Sends over sockets, while the test moves the monotonic clock. */
function sendOverSockets(cleanup: AsyncDisposableStack, resolve?: ResolveName) {
  const rules = createAddressRules({ allowLoopback: true, allowNetworks: [] });
  const connections = createConnections(rules, DELIVERY_TIMEOUT_MS, { resolve });
  cleanup.defer(() => connections.destroy());
  const sendAttempt = createNetworkSender(connections, DELIVERY_TIMEOUT_MS);
  return (url: string) => sendAttempt({ url, headers: {}, body: '{}' }, attempted);
}

/** A receiver that answers each request at once, or only when the test calls `answer`. */
async function startSender(answers: boolean) {
  await using cleanup = new AsyncDisposableStack();
  const receiver = cleanup.use(await startRawReceiver((socket) => void (answers && socket.write(ANSWER))));
  const send = sendOverSockets(cleanup);
  const owned = cleanup.move();
  return {
    receiver,
    send: () => send(receiver.url),
    answer: () => {
      for (const socket of receiver.open) socket.write(ANSWER);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Waits for the sockets without moving the clock. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise(setImmediate);
}

describe('A connection to a receiver', () => {
  it('is reused 3,999 ms after an exchange ends', async () => {
    await using sender = await startSender(true);
    expect(await sender.send()).toEqual(TAKEN);
    vi.advanceTimersByTime(3_999);
    expect(await sender.send()).toEqual(TAKEN);
    expect(sender.receiver).toMatchObject({ connections: 1, requests: 2 });
  });

  it('takes its pool along when it closes, and only then', async () => {
    const closes = vi.spyOn(Pool.prototype, 'close');
    await using sender = await startSender(true);
    expect(await sender.send()).toEqual(TAKEN);
    vi.advanceTimersByTime(3_999);
    expect(closes).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await until(() => closes.mock.calls.length > 0);
    expect(await sender.send()).toEqual(TAKEN);
    closes.mockRestore();
  });

  it('is closed 4 s after an exchange ends, before most servers would close it', async () => {
    await using sender = await startSender(true);
    expect(await sender.send()).toEqual(TAKEN);
    vi.advanceTimersByTime(4_000);
    await until(() => sender.receiver.open.size === 0);
    expect(await sender.send()).toEqual(TAKEN);
    expect(sender.receiver).toMatchObject({ connections: 2, requests: 2 });
  });

  it('costs no attempt if the receiver resets it as the next request starts: a new connection takes the request', async () => {
    await using sender = await startSender(true);
    expect(await sender.send()).toEqual(TAKEN);
    const [idle] = sender.receiver.open;
    const next = sender.send();
    idle?.resetAndDestroy();
    expect(await next).toEqual(TAKEN);
    expect(sender.receiver).toMatchObject({ connections: 2, requests: 2 });
  });

  it('fails the attempt if it replaces one that ended and the receiver refuses it', async () => {
    await using sender = await startSender(true);
    expect(await sender.send()).toEqual(TAKEN);
    const [idle] = sender.receiver.open;
    await sender.receiver[Symbol.asyncDispose]();
    await until(() => idle?.closed ?? true);
    expect(await sender.send()).toEqual({ error: 'Connection refused' });
  });
});

describe('A connection that cannot be made', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });

  it.each<[string, Error, object]>([
    ['file descriptors', failure('EMFILE'), { shortage: 'EMFILE' }],
    ['memory', failure('ENOMEM'), { shortage: 'ENOMEM' }],
    [
      'file descriptors, for each address',
      new AggregateError([failure('EMFILE'), failure('EMFILE')]),
      { shortage: 'EMFILE' },
    ],
    [
      'file descriptors, for the DNS lookup',
      new UnresolvedNameError('no', { cause: failure('EMFILE') }),
      { shortage: 'EMFILE' },
    ],
    ['IPv6, or a free port for this receiver', failure('EADDRNOTAVAIL'), { error: 'Network unreachable' }],
    ['nothing', failure('ECONNREFUSED'), { error: 'Connection refused' }],
  ])('because this machine lacks %s', async (_what, error, exchange) => {
    await using cleanup = new AsyncDisposableStack();
    const send = sendOverSockets(cleanup, () => Promise.reject(error));
    expect(await send('http://receiver.test/')).toEqual(exchange);
  });
});

describe('Delivery behaviour: no response within 10 seconds, over a socket', () => {
  it('a response that arrives before the deadline is accepted, and the connection stays open', async () => {
    await using sender = await startSender(false);
    const exchange = sender.send();
    await until(() => sender.receiver.requests === 1);
    vi.advanceTimersByTime(9_999);
    sender.answer();
    expect(await exchange).toEqual(TAKEN);
    expect(sender.receiver.open.size).toBe(1);
  });

  it('an exchange without a response ends at the deadline, and the connection is closed', async () => {
    await using sender = await startSender(false);
    const exchange = sender.send();
    await until(() => sender.receiver.requests === 1);
    vi.advanceTimersByTime(10_000);
    sender.answer();
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
    await until(() => sender.receiver.open.size === 0);
  });
});

describe('Delivery behaviour: no response within 10 seconds, connecting included', () => {
  const TIMED_OUT = { error: 'Timed out after 10 s' };
  /** Holds the result of an exchange once it has ended. */
  function endOf<Result>(exchange: Promise<Result>) {
    const end: { exchange?: Result } = {};
    void exchange.then((result) => {
      end.exchange = result;
    });
    return end;
  }

  it('an attempt to a receiver that never accepts ends at the deadline, and connecting stops soon after', async () => {
    await using cleanup = new AsyncDisposableStack();
    const receiver = cleanup.use(await startDeafReceiver());
    const end = endOf(sendOverSockets(cleanup)(receiver.url));
    await until(() => receiver.asked() === 1);
    vi.advanceTimersByTime(9_999);
    await until(() => receiver.asked() === 1);
    expect(end.exchange).toBe(undefined);
    vi.advanceTimersByTime(1);
    await until(() => end.exchange !== undefined);
    expect(end.exchange).toEqual(TIMED_OUT);
    vi.advanceTimersByTime(2_000);
    await until(() => receiver.asked() === 0);
  });

  it('an attempt whose TLS handshake gets no response ends at the deadline, and the connection closes soon after', async () => {
    await using cleanup = new AsyncDisposableStack();
    const receiver = cleanup.use(await startRawReceiver(() => {}));
    const end = endOf(sendOverSockets(cleanup)(receiver.url.replace('http:', 'https:')));
    // The handshake has begun.
    await until(() => [...receiver.open].some(({ bytesRead }) => bytesRead > 0));
    vi.advanceTimersByTime(9_999);
    expect([end.exchange, receiver.open.size]).toEqual([undefined, 1]);
    vi.advanceTimersByTime(1);
    await until(() => end.exchange !== undefined);
    expect(end.exchange).toEqual(TIMED_OUT);
    vi.advanceTimersByTime(2_000);
    await until(() => receiver.open.size === 0);
    expect(receiver.requests).toBe(0);
  });
});
