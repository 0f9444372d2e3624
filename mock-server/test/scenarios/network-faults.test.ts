import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../src/delivery/sending/connections.ts';
import { createNetworkSender } from '../../src/delivery/sending/send-over-network.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { createNameResolver } from '../../src/network/resolve-name.ts';
import { startProxy } from '../postgres/support/proxy.ts';
import { attempted } from '../support/delivery/attempted.ts';
import { startRawReceiver } from '../support/delivery/hostile.ts';
import { type NameResponse, startNameServer } from '../support/delivery/name-server.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const TAKEN = { response: { status: 200, headers: { 'content-length': '2' }, body: 'ok' } };
const TIMED_OUT = { error: 'Timed out after 10 s' };
const BLOCKED = { error: 'Blocked address' };
const LOOPBACK = '127.0.0.1';
/** A public address. No test connects to it. */
const PUBLIC = '8.8.8.8';

let cleanup: AsyncDisposableStack;
beforeEach(() => {
  cleanup = new AsyncDisposableStack();
  // The test moves the deadline. The network works in real time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await cleanup.disposeAsync();
});

/** A receiver, and attempts to it by names that a test name server answers. */
async function start(responseName: (name: string) => NameResponse, answer: string | undefined = ANSWER) {
  const names = cleanup.use(await startNameServer(responseName));
  const receiver = cleanup.use(await startRawReceiver((socket) => void (answer && socket.write(answer))));
  const resolve = createNameResolver({
    timeoutMs: DELIVERY_TIMEOUT_MS,
    servers: [names.address],
    askSystem: () => Promise.reject(new Error('The system does not know it.')),
  });
  const rules = createAddressRules({ allowLoopback: true, allowNetworks: [] });
  const connections = createConnections(rules, DELIVERY_TIMEOUT_MS, { resolve });
  cleanup.defer(() => connections.destroy());
  const send = createNetworkSender(connections, DELIVERY_TIMEOUT_MS);
  const sendToUrl = (url: string) => send({ url, headers: {}, body: '{}' }, attempted);
  return {
    names,
    receiver,
    sendToUrl,
    sendTo: (name: string) => sendToUrl(`http://${name}:${new URL(receiver.url).port}/`),
  };
}

/** Waits for the network while the clock is frozen. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise(setImmediate);
}

/** Expects an exchange to end at the deadline and not before. */
async function expectTimeOut(exchange: Promise<unknown>) {
  let isOver = false;
  void exchange.then(() => {
    isOver = true;
  });
  vi.advanceTimersByTime(DELIVERY_TIMEOUT_MS - 1);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await exchange).toEqual(TIMED_OUT);
}

describe('A name server that hangs', () => {
  const responseName = (name: string): NameResponse => (name === 'good.test' ? [LOOPBACK] : 'silent');

  it('ends the attempt at its deadline and does not delay other names', async () => {
    const { names, receiver, sendTo } = await start(responseName);
    const exchange = sendTo('silent.test');
    await until(() => names.asked.includes('silent.test'));
    expect(await sendTo('good.test')).toEqual(TAKEN);
    await expectTimeOut(exchange);
    expect(receiver.requests).toBe(1);
  });
});

describe('A name with several addresses', () => {
  it.each([
    [[PUBLIC, '10.0.0.1']],
    [['10.0.0.1', PUBLIC]],
    [[PUBLIC, '169.254.169.254']],
    [[LOOPBACK, '192.168.0.1']],
    [[LOOPBACK, 'fd00::1']],
    [[LOOPBACK, '::ffff:a00:1']],
  ])('is not connected to if one of them is blocked: %j', async (addresses) => {
    const { receiver, sendTo } = await start(() => addresses);
    expect(await sendTo('mixed.test')).toEqual(BLOCKED);
    expect(receiver.connections).toBe(0);
  });

  it('is connected to if none of them is', async () => {
    const { sendTo } = await start(() => [LOOPBACK, '127.0.0.2']);
    expect(await sendTo('open.test')).toEqual(TAKEN);
  });
});

describe('A name that changes its address between lookup and connection', () => {
  it('is connected to at the address that was checked, because it is looked up once', async () => {
    const answers = [[LOOPBACK], [LOOPBACK]];
    const { names, receiver, sendTo } = await start(() => answers.shift() ?? ['169.254.169.254']);
    expect(await sendTo('rebound.test')).toEqual(TAKEN);
    // One question for IPv4 and one for IPv6.
    expect(names.asked).toEqual(['rebound.test', 'rebound.test']);
    expect(receiver.connections).toBe(1);
  });

  it('is checked again for the next connection', async () => {
    const answers = [[LOOPBACK], [LOOPBACK]];
    const { receiver, sendTo } = await start(() => answers.shift() ?? ['169.254.169.254']);
    expect(await sendTo('rebound.test')).toEqual(TAKEN);
    const [connection] = receiver.open;
    connection?.destroy();
    await until(() => receiver.open.size === 0);
    // Let the client notice that its idle connection has ended before the next request.
    await new Promise(setImmediate);
    expect(await sendTo('rebound.test')).toEqual(BLOCKED);
    expect(receiver.connections).toBe(1);
  });
});

describe('A connection that is half open', () => {
  it.each([
    ['before the response', undefined],
    ['within its head', 'HTTP/1.1 200 OK\r\nx-half: '],
    ['within its body', ANSWER.slice(0, -1)],
  ])('%s: the attempt ends at its deadline', async (_when, part) => {
    const { receiver, sendToUrl } = await start(() => undefined, part);
    const proxy = cleanup.use(await startProxy(receiver.url));
    const exchange = sendToUrl(proxy.url);
    await until(() => receiver.requests === 1);
    proxy.silence();
    await expectTimeOut(exchange);
  });

  it('since its last response costs one attempt: the next one uses another connection', async () => {
    const { receiver, sendToUrl } = await start(() => undefined);
    const proxy = cleanup.use(await startProxy(receiver.url));
    expect(await sendToUrl(proxy.url)).toEqual(TAKEN);
    proxy.silence();
    let isWritten = false;
    const written = () => {
      isWritten = true;
    };
    subscribe('undici:client:sendHeaders', written);
    const exchange = sendToUrl(proxy.url);
    await until(() => isWritten);
    unsubscribe('undici:client:sendHeaders', written);
    await expectTimeOut(exchange);
    expect(receiver).toMatchObject({ connections: 1, requests: 1 });
    expect(await sendToUrl(proxy.url)).toEqual(TAKEN);
    expect(receiver).toMatchObject({ connections: 2, requests: 2 });
  });
});
