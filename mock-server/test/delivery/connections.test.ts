import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../src/delivery/connections.ts';
import { createNetworkSender } from '../../src/delivery/send-over-network.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { attempted } from './support/attempted.ts';
import { startRawReceiver } from './support/hostile.ts';

afterEach(() => vi.useRealTimers());

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const TAKEN = { answer: { status: 200, headers: { 'content-length': '2' }, body: 'ok' } };

/** Exchanges with a receiver over sockets, while the test moves the monotonic clock. */
async function startSender(answers: boolean) {
  await using cleanup = new AsyncDisposableStack();
  const receiver = cleanup.use(await startRawReceiver((socket) => void (answers && socket.write(ANSWER))));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const rules = createAddressRules({ allowLoopback: true, allowNetworks: [] });
  const connections = createConnections(rules, DELIVERY_TIMEOUT_MS);
  cleanup.defer(() => connections.destroy());
  const sendAttempt = createNetworkSender(connections, DELIVERY_TIMEOUT_MS);
  const owned = cleanup.move();
  return {
    receiver,
    send: () => sendAttempt({ url: receiver.url, headers: {}, body: '{}' }, attempted),
    answer: () => {
      for (const socket of receiver.open) socket.write(ANSWER);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Waits for what comes over sockets; the clock stands still meanwhile. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise(setImmediate);
}

describe('A connection to a receiver', () => {
  it('is used again 3,999 ms after the end of an exchange', async () => {
    await using sender = await startSender(true);
    expect(await sender.send()).toEqual(TAKEN);
    vi.advanceTimersByTime(3_999);
    expect(await sender.send()).toEqual(TAKEN);
    expect(sender.receiver).toMatchObject({ connections: 1, requests: 2 });
  });

  it('is closed a millisecond later, before most servers do it', async () => {
    await using sender = await startSender(true);
    expect(await sender.send()).toEqual(TAKEN);
    vi.advanceTimersByTime(4_000);
    await until(() => sender.receiver.open.size === 0);
    expect(await sender.send()).toEqual(TAKEN);
    expect(sender.receiver).toMatchObject({ connections: 2, requests: 2 });
  });
});

describe('Delivery behaviour: no response within 10 seconds, over a socket', () => {
  it('an answer that has come before the deadline is taken, and its connection stays open', async () => {
    await using sender = await startSender(false);
    const exchange = sender.send();
    await until(() => sender.receiver.requests === 1);
    vi.advanceTimersByTime(9_999);
    sender.answer();
    expect(await exchange).toEqual(TAKEN);
    expect(sender.receiver.open.size).toBe(1);
  });

  it('an exchange without an answer at the deadline ends there, and its connection is cut', async () => {
    await using sender = await startSender(false);
    const exchange = sender.send();
    await until(() => sender.receiver.requests === 1);
    vi.advanceTimersByTime(10_000);
    sender.answer();
    expect(await exchange).toEqual({ error: 'Timed out after 10 s' });
    await until(() => sender.receiver.open.size === 0);
  });
});
