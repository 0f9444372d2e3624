import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createResults, type Finished, nextBatch } from '../../../../src/delivery/queue/results.ts';
import { type Storage, StorageUnavailableError } from '../../../../src/storage/port.ts';
import { createFakeTimers } from '../../../support/delivery/fake-timers.ts';

const PAUSE_MS = 100;
const STORE_DELAY_MS = 5;

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
    counts: false,
    refusals: 0,
  }) as unknown as Finished;

/** Results over a storage whose statements the test holds back. Counts the results only after the database was lost. */
function createTestResults(moved: readonly string[], writeAtOnce: Storage['writeAtOnce']) {
  const timers = createFakeTimers();
  let wasLost = false;
  let failures = 0;
  const counted: string[] = [];
  const stored: string[] = [];
  const results = createResults({
    storage: {
      writeAtOnce,
      async write(_work: unknown) {
        counted.push('a transaction that counts');
        return { moved, autoDisabled: [] };
      },
    } as never,
    clock: { now: () => 0 } as never,
    timers,
    ids: {} as never,
    sendsEmails: false,
    failed() {
      failures++;
      lose();
    },
    refused() {},
    trackCounted: () => wasLost,
    onStored: ({ batch }) => void stored.push(...batch.map(({ attempt, counts }) => `${attempt.id} ${counts}`)),
    onSessionEnded() {},
  });
  function lose(): void {
    wasLost = true;
    results.recount();
  }
  return { results, timers, lose, wasLost: () => wasLost, failures: () => failures, counted, stored };
}

test('after a lost connection, the results of every batch that was being stored may change failure counts', async () => {
  const open: PromiseWithResolvers<unknown[]>[] = [];
  const { results, timers, wasLost, stored } = createTestResults(['a', 'b'], () => {
    const reply = Promise.withResolvers<unknown[]>();
    open.push(reply);
    return reply.promise;
  });
  results.add(finishedOf('a'), true);
  results.add(finishedOf('b'), false);
  await timers.pass(STORE_DELAY_MS);
  await vi.waitFor(() => expect(open).toHaveLength(2));
  // The second failure arrives after the first one has been handled.
  open[0]?.reject(new StorageUnavailableError('away'));
  await vi.waitFor(() => expect(wasLost()).toBe(true));
  open[1]?.reject(new StorageUnavailableError('away'));
  await setImmediate();
  await timers.pass(PAUSE_MS);
  await vi.waitFor(() => expect(stored).toEqual(['a true', 'b true']));
  expect(open).toHaveLength(2);
  await results.stop();
});

test.each([
  ['changes no failure count without an outage', false],
  ['may change failure counts if the database was lost meanwhile', true],
])('a batch that waits for a connection %s', async (_name, isLost) => {
  const connection = Promise.withResolvers<void>();
  const { results, lose, failures, counted, stored } = createTestResults(['a'], async (statementsFor) => {
    await connection.promise;
    statementsFor('sqlite');
    return [{ deliveryId: 'a' }];
  });
  results.add(finishedOf('a'), true);
  await setImmediate();
  if (isLost) lose();
  connection.resolve();
  await setImmediate();
  // The batch does not wait, because the database is reachable.
  await vi.waitFor(() => expect(stored).toEqual([`a ${isLost}`]));
  expect(failures()).toBe(0);
  expect(counted).toHaveLength(isLost ? 1 : 0);
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
