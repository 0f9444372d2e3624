import { describe, expect, test } from 'vitest';
import { storeAndCount } from '../../../src/delivery/queue/results.ts';
import type { FinishedAttempt } from '../../../src/delivery/sending/attempt.ts';
import { logUnmoved, resultStatements, storeResults } from '../../../src/storage/delivery/store-results.ts';
import { FAILED, resultOf, retryAt, SUCCESS } from '../../support/delivery/results.ts';
import { beginOther, endOther } from '../../support/delivery/sessions.ts';
import {
  addEndpoint,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  MINUTE,
  START,
} from '../../support/delivery/world.ts';

/** A world with a session, one endpoint and deliveries that are due to it. */
async function beginWith(deliveries: number) {
  const world = await createWorld();
  const { storage, ids, clock } = world;
  const endpoint = await addEndpoint(world, 'https://receiver.test/hook');
  const deliveryIds = await emit(world, deliveries);
  await beginOther(storage, 'session');
  return {
    ...world,
    world,
    endpoint,
    deliveryIds,
    resultOf: (index: number, transition: FinishedAttempt['transition']) =>
      resultOf(world, deliveryIds[index] ?? '', transition),
    store: (results: readonly FinishedAttempt[], session = 'session') =>
      storage.write((queries) => storeResults(queries, session, results)),
    storeAndCount: (results: readonly FinishedAttempt[]) =>
      storage.write((queries) => storeAndCount(queries, 'session', results, { ids, clock, sendsEmails: false })),
    /** The rows that results change, besides those of endpoints. */
    stored: () =>
      storage.read(async (queries) => ({
        queue: await queries.selectFrom('delivery_queue').selectAll().orderBy('delivery_id').execute(),
        deliveries: await queries.selectFrom('deliveries').selectAll().orderBy('id').execute(),
        ends: await queries.selectFrom('delivery_ends').selectAll().orderBy('delivery_id').execute(),
        attempts: await queries.selectFrom('delivery_attempts').selectAll().orderBy('id').execute(),
      })),
    [Symbol.asyncDispose]: storage[Symbol.asyncDispose],
  };
}

describe('Results that are stored while their session exists', () => {
  test('end deliveries, plan retries and are logged', async () => {
    await using begun = await beginWith(3);
    const { deliveryIds, storage } = begun;
    const [success, failed, retry] = [
      await begun.resultOf(0, SUCCESS),
      await begun.resultOf(1, FAILED),
      await begun.resultOf(2, retryAt(START + MINUTE)),
    ];
    expect((await begun.store([success, failed, retry])).sort()).toEqual([...deliveryIds].sort());
    const { queue, ends } = await begun.stored();
    expect(queue).toMatchObject([{ delivery_id: deliveryIds[2], retry: 1, due_at: START + MINUTE, attempt: 1 }]);
    expect(ends.map(({ delivery_id, status }) => [delivery_id, status])).toEqual([
      [deliveryIds[0], 'success'],
      [deliveryIds[1], 'failed'],
    ]);
    const ended = { attempt: 1, next_attempt_at: null, response_time_ms: 1 };
    expect(await deliveryOf(storage, deliveryIds[0])).toMatchObject({
      ...ended,
      status: 'success',
      delivered_at: START,
      response_status: 200,
      error: null,
    });
    expect(await deliveryOf(storage, deliveryIds[1])).toMatchObject({
      ...ended,
      status: 'failed',
      delivered_at: null,
      response_status: 500,
      error: 'HTTP 500',
    });
    expect(await deliveryOf(storage, deliveryIds[2])).toMatchObject({
      status: 'pending',
      attempt: 1,
      next_attempt_at: START + MINUTE,
    });
    for (const [index, { id }] of [success, failed, retry].entries())
      expect(await attemptsOf(storage, deliveryIds[index])).toMatchObject([{ id, number: 1, late: 0 }]);
  });

  test.each([{ transition: SUCCESS }, { transition: FAILED }, { transition: retryAt(START + MINUTE) }])(
    'change nothing if they are stored again ($transition.status)',
    async ({ transition }) => {
      await using begun = await beginWith(2);
      const result = await begun.resultOf(0, transition);
      expect(await begun.store([result])).toEqual([begun.deliveryIds[0]]);
      const before = await begun.stored();
      const other = await begun.resultOf(1, SUCCESS);
      expect(await begun.store([result])).toEqual([]);
      expect(await begun.stored()).toEqual(before);
      expect(await begun.store([result, other])).toEqual([begun.deliveryIds[1]]);
    },
  );

  test('change nothing if they are stored again, even if the retry is due when the attempt was', async () => {
    await using begun = await beginWith(1);
    await begun.store([await begun.resultOf(0, retryAt(START))]);
    const result = await begun.resultOf(0, retryAt(START));
    expect(await begun.store([result])).toEqual(begun.deliveryIds);
    const before = await begun.stored();
    expect(await begun.store([result])).toEqual([]);
    expect(await begun.stored()).toEqual(before);
  });

  test('never change the rows of their deliveries', async () => {
    await using begun = await beginWith(3);
    const { deliveries } = await begun.stored();
    const results = [SUCCESS, FAILED, retryAt(START + MINUTE)].map((transition, index) =>
      begun.resultOf(index, transition),
    );
    await begun.store(await Promise.all(results));
    expect((await begun.stored()).deliveries).toEqual(deliveries);
  });
});

describe('Results whose session has ended', () => {
  test.each(['has ended', 'never began'])('change nothing if it %s', async (what) => {
    await using begun = await beginWith(2);
    const results = [await begun.resultOf(0, SUCCESS), await begun.resultOf(1, retryAt(START + MINUTE))];
    const before = await begun.stored();
    if (what === 'has ended') await endOther(begun.storage, 'session');
    expect(await begun.store(results, what === 'has ended' ? 'session' : 'unknown')).toEqual([]);
    expect(await begun.stored()).toEqual(before);
  });

  test('are late, and are logged unless their delivery is gone', async () => {
    await using begun = await beginWith(2);
    const { storage, deliveryIds } = begun;
    const results = [await begun.resultOf(0, SUCCESS), await begun.resultOf(1, FAILED)];
    await storage.write((queries) =>
      queries
        .deleteFrom('deliveries')
        .where('id', '=', deliveryIds[1] ?? '')
        .execute(),
    );
    const late = await storage.write((queries) => logUnmoved(queries, results));
    expect(late).toEqual(new Set(results.map(({ id }) => id)));
    expect((await begun.stored()).attempts).toMatchObject([{ id: results[0]?.id, late: 1 }]);
    expect(await deliveryOf(storage, deliveryIds[0])).toMatchObject({ status: 'pending', attempt: 0 });
  });

  test('are not logged as late if they were stored before the session ended', async () => {
    await using begun = await beginWith(1);
    const result = await begun.resultOf(0, SUCCESS);
    await begun.store([result]);
    await endOther(begun.storage, 'session');
    const late = await begun.storage.write((queries) => logUnmoved(queries, [result]));
    expect(late).toEqual(new Set());
    expect((await begun.stored()).attempts).toMatchObject([{ id: result.id, late: 0 }]);
  });
});

describe('A result that was logged as late because a standby lost its commit in the meantime', () => {
  test.each([
    ['ends its delivery', SUCCESS],
    ['plans the retry', retryAt(START + MINUTE)],
  ])('is not late any more once it is stored again and %s', async (_what, transition) => {
    await using begun = await beginWith(1);
    const result = await begun.resultOf(0, transition);
    // The first call moved the delivery, but the standby has neither this move nor the attempt.
    expect(await begun.storage.write((queries) => logUnmoved(queries, [result]))).toEqual(new Set([result.id]));
    expect(await begun.store([result])).toEqual([result.delivery.id]);
    expect((await begun.stored()).attempts).toMatchObject([{ id: result.id, late: 0 }]);
    expect(await begun.store([result])).toEqual([]);
  });
});

describe('Failures', () => {
  test('are counted once, even if their results are stored twice', async () => {
    await using begun = await beginWith(2);
    const results = [await begun.resultOf(0, FAILED), await begun.resultOf(1, FAILED)];
    expect(await begun.storeAndCount(results)).toMatchObject({ autoDisabled: [] });
    expect(await begun.storeAndCount(results)).toEqual({ moved: [], autoDisabled: [] });
    expect(await endpointOf(begun.storage, begun.endpoint.id)).toMatchObject({ consecutive_failures: 2 });
  });

  test.each([
    ['a success', SUCCESS, 0],
    ['a retry', retryAt(START + MINUTE), 1],
  ])('are not overlooked: %s without counting', async (_what, transition, moved) => {
    await using begun = await beginWith(3);
    const storeOnly = async (index: number) => {
      const result = await begun.resultOf(index, transition);
      return await begun.storage.writeAtOnce((database) =>
        resultStatements(database, 'session', [result], 'uncounted'),
      );
    };
    expect(await storeOnly(0)).toHaveLength(1);
    await begun.storeAndCount([await begun.resultOf(1, FAILED)]);
    expect(await storeOnly(2)).toHaveLength(moved);
    await begun.storeAndCount([await begun.resultOf(2, SUCCESS)]);
    expect(await endpointOf(begun.storage, begun.endpoint.id)).toMatchObject({ consecutive_failures: 0 });
  });

  test('are not counted if their session has ended', async () => {
    await using begun = await beginWith(1);
    const result = await begun.resultOf(0, FAILED);
    await endOther(begun.storage, 'session');
    expect(await begun.storeAndCount([result])).toEqual({ moved: [], autoDisabled: [] });
    expect(await endpointOf(begun.storage, begun.endpoint.id)).toMatchObject({ consecutive_failures: 0 });
  });
});
