import { expect, test, vi } from 'vitest';
import { createResults, type Finished, nextBatch } from '../../../../src/delivery/queue/results.ts';
import { createFakeTimers } from '../../../support/delivery/fake-timers.ts';

const finishedOf = (id: string) =>
  ({
    attempt: {
      id,
      delivery: { id, endpointId: id, place: {} },
      transition: { status: 'success' },
      loggedHeaders: {},
      response: undefined,
    },
    lane: { session: 'session' },
    refusals: 0,
  }) as unknown as Finished;

test('a success that must reset a failure count is stored in a transaction that counts', async () => {
  const timers = createFakeTimers();
  const calls: string[] = [];
  const results = createResults({
    storage: {
      async writeAtOnce() {
        calls.push('one round trip');
        return [{ deliveryId: 'a' }];
      },
      async write() {
        calls.push('a transaction');
        return { moved: ['b'], autoDisabled: [] };
      },
    } as never,
    clock: { now: () => 0 } as never,
    timers,
    ids: {} as never,
    sendsEmails: false,
    failed() {},
    refused() {},
    onStored: ({ batch, late }) => void calls.push(`${batch.length} stored, ${late.size} late`),
    onSessionEnded() {},
  });
  results.add(finishedOf('a'), false);
  results.add(finishedOf('b'), true);
  await vi.waitFor(() => expect(calls).toEqual(['one round trip', 'a transaction', '2 stored, 0 late']));
  await results.stop();
});

test.each([
  ['ASCII', 'x'],
  ['three bytes a character', '漢'],
])('a batch has at most 1 MiB of responses and headers: %s', (_name, character) => {
  const headers = { 'x-header': character.repeat(1_000) };
  const body = character.repeat(64 * 1_024);
  const waiting = Array.from({ length: 100 }, (_, index): Finished => {
    const finished = finishedOf(String(index).padStart(3, '0'));
    return {
      ...finished,
      attempt: { ...finished.attempt, loggedHeaders: headers, response: { status: 200, headers, body } },
    };
  });
  const sizes: number[] = [];
  for (let left: readonly Finished[] = waiting; left.length > 0; ) {
    const batch = nextBatch(left, []);
    expect(batch).toEqual(left.slice(0, batch.length));
    sizes.push(Buffer.byteLength(batch.map(() => body + headers['x-header'] + headers['x-header']).join('')));
    left = left.slice(batch.length);
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_024 * 1_024);
  // All but the last batch are as full as possible.
  const one = (sizes.at(0) ?? 0) / Math.floor((1_024 * 1_024) / Buffer.byteLength(body));
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(1_024 * 1_024 - 2 * one);
});
