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
      await starts(sender, socket as Socket);
      begun.push(name);
      return socket.listenerCount('close');
    },
  };
}

test('In each pass, a sender begins so many requests in their order, and others do not wait for them', async () => {
  const { begun, send } = startRequests(2);
  const all = ['1', '2', '3', '4', '5'].map((name) => send('busy', name));
  all.push(send('other', 'other'));
  await Promise.resolve();
  expect(begun).toEqual(['1', '2', 'other']);
  await nextPass();
  expect(begun).toEqual(['1', '2', 'other', '3', '4']);
  await nextPass();
  expect(begun).toEqual(['1', '2', 'other', '3', '4', '5']);
  expect(await Promise.all(all)).toEqual([0, 0, 0, 0, 0, 0]);
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
