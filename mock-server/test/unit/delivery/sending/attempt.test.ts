import { trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeAttempt } from '../../../../src/delivery/sending/attempt.ts';
import type { SendAttempt } from '../../../../src/delivery/sending/attempt-request.ts';
import { DOCUMENTED_SCHEDULE } from '../../../../src/domain/retry-schedule.ts';
import { createLogger } from '../../../../src/runtime/logger.ts';
import { processTimers } from '../../../../src/runtime/timers.ts';
import { attempted } from '../../../support/delivery/attempted.ts';

const AT = Date.parse('2031-03-01T00:00:00Z');
const DUE_AT = AT + 300_000;

afterEach(() => trace.disable());

const received: SendAttempt = async () => ({ response: { status: 204, headers: {}, body: '' } });
const drawn = () => '01HZZZZZZZZZZZZZZZZZZZZZZZ';
const fails = () => {
  throw new Error('this part is broken');
};

/** Makes an attempt in which a part may fail. Returns it with the number of errors in the log. */
async function attempt({
  send = received,
  nextAttempt = drawn,
  url = 'http://receiver.test/',
  timers = processTimers,
}) {
  const logger = createLogger('silent');
  const logged = vi.spyOn(logger, 'error');
  const made = await makeAttempt(
    {
      clock: { now: () => AT, realNow: () => AT, isStill: () => true },
      timers,
      ids: { next: fails, nextBare: fails, nextAttempt, restart: fails, riseAbove: fails, leadMs: fails },
      logger,
      schedule: DOCUMENTED_SCHEDULE,
      signingKeys: () => [],
      send,
    },
    {
      ...attempted,
      eventId: 'evt_1',
      attemptsMade: 0,
      body: '{}',
      traceparent: null,
      place: { endpointId: 'whe_1', retry: 0, dueAt: AT, deliveryId: 'whd_1' },
    },
    { url, active: true, secrets: [] },
  );
  return { made, errors: logged.mock.calls.length };
}

describe('An attempt', () => {
  test('of which every part works has the next id and succeeds', async () => {
    expect(await attempt({})).toMatchObject({
      made: { id: drawn(), error: null, transition: { status: 'success' } },
      errors: 0,
    });
  });

  const retried = { id: drawn(), error: 'Internal error', transition: { status: 'pending', nextAttemptAt: DUE_AT } };

  test('of which a part fails ends as an internal error', async () => {
    expect(await attempt({ send: fails })).toMatchObject({ made: retried, errors: 1 });
  });

  test('to a URL that cannot be parsed ends as an internal error, also if it is traced', async () => {
    trace.setGlobalTracerProvider(new BasicTracerProvider());
    expect(await attempt({ url: 'not a URL' })).toMatchObject({ made: retried, errors: 1 });
  });

  test('without a next id keeps its result, and its id is from the time when it ended', async () => {
    expect(await attempt({ nextAttempt: fails })).toMatchObject({
      made: { id: '01R5H4W5000000000000000000', error: null, transition: { status: 'success' } },
      errors: 1,
    });
  });

  test.each([
    [900, 900],
    [30 * 86_400_000, 86_400_000],
  ])('during which %i ms seem to pass took %i ms, which a database can store', async (passedMs, responseTimeMs) => {
    let elapsedMs = 0;
    const send: SendAttempt = async (...request) => {
      elapsedMs += passedMs;
      return await received(...request);
    };
    const { made } = await attempt({ send, timers: { ...processTimers, now: () => elapsedMs } });
    expect(made).toMatchObject({ responseTimeMs });
  });
});
