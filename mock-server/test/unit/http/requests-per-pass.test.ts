import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ConnectionCutError } from '../../../src/http/errors.ts';
import { createStarts } from '../../../src/http/requests-per-pass.ts';

/** Requests that note when they begin. */
function startRequests(perPassMax: number) {
  const starts = createStarts(perPassMax);
  const begun: string[] = [];
  return {
    begun,
    async send(sender: string, name: string, socket = new EventEmitter()) {
      await starts({ name: sender, isKnown: !sender.startsWith('unknown') }, socket as Socket);
      begun.push(name);
      return socket.listenerCount('close');
    },
  };
}

test('In each pass, so many requests begin, and the senders take turns', async () => {
  const { begun, send } = startRequests(2);
  const all = ['1', '2', '3', '4', '5', '6'].map((name) => send('busy', name));
  all.push(send('other', 'a'), send('third', 'x'), send('other', 'b'));
  await Promise.resolve();
  expect(begun).toEqual(['1', '2']);
  await nextPass();
  expect(begun).toEqual(['1', '2', '3', 'a']);
  await nextPass();
  expect(begun).toEqual(['1', '2', '3', 'a', 'x', '4']);
  await nextPass();
  expect(begun).toEqual(['1', '2', '3', 'a', 'x', '4', 'b', '5']);
  await nextPass();
  expect(await Promise.all(all)).toEqual(Array(9).fill(0));
});

test('Requests of known and unknown senders alternate, however many unknown senders there are', async () => {
  const { begun, send } = startRequests(1);
  const all = ['1', '2', '3', '4', '5'].map((name) => send(`unknown ${name}`, name));
  all.push(send('a', 'a'), send('b', 'b'));
  for (let pass = 0; pass < 7; pass++) await nextPass();
  await Promise.all(all);
  expect(begun).toEqual(['1', 'a', '2', 'b', '3', '4', '5']);
});

test('A request that arrives while nobody waits begins at once', async () => {
  const { begun, send } = startRequests(2);
  await Promise.all([send('a', '1'), send('b', '2')]);
  await nextPass();
  void send('c', '3');
  await Promise.resolve();
  expect(begun).toEqual(['1', '2', '3']);
});

test('A request that arrives later waits behind those that already wait', async () => {
  const { begun, send } = startRequests(1);
  const all = [send('busy', '1'), send('busy', '2'), send('busy', '3')];
  await nextPass();
  all.push(send('busy', '4'));
  await nextPass();
  expect(begun).toEqual(['1', '2', '3']);
  await Promise.all(all);
  expect(begun).toEqual(['1', '2', '3', '4']);
});

test('A request whose connection closes leaves the line', async () => {
  const { begun, send } = startRequests(1);
  const gone = new EventEmitter();
  const all = [send('busy', '1'), send('busy', '3')];
  const left = send('busy', '2', gone);
  gone.emit('close');
  await expect(left).rejects.toThrow(ConnectionCutError);
  all.push(send('busy', '4'));
  await Promise.all(all);
  expect(begun).toEqual(['1', '3', '4']);
  expect(gone.listenerCount('close')).toBe(0);
});
