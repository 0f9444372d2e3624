import { z } from 'zod';
import { parseDuration } from '../../domain/duration.ts';
import { validation } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { Services } from '../services.ts';
import { controlOperation } from './operation.ts';

/** Timestamps are documented with four-digit years. Retries may need up to four more days. */
const END_OF_TIME = Date.UTC(9999, 0, 1);

const durationMs = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue('must be an ISO 8601 duration such as PT5M, or a short one such as 5m, 12h or 3d');
  return z.NEVER;
});

const INSTANT = 'must be an ISO 8601 instant with Z or an offset, such as 2031-03-01T00:00:00Z';

const clockBody = z
  .strictObject({
    advance: durationMs.optional(),
    set: z.iso.datetime({ offset: true, error: INSTANT }).optional(),
    freeze: z.literal(true).optional(),
    resume: z.literal(true).optional(),
    reset: z.literal(true).optional(),
  })
  .refine(
    (body) => Object.keys(body).length === 1,
    'must be one of { "advance": "PT5M" }, { "set": "<ISO 8601>" }, { "freeze": true }, { "resume": true } and { "reset": true }',
  );

const settleBody = z.strictObject({ timeoutMs: z.int().min(0).max(600_000).default(30_000) });

const readClock = controlOperation({
  method: 'GET',
  path: '/_control/clock',
  summary: 'Show the virtual clock',
  status: 200,
  answer: z.object({ now: z.string(), offsetMs: z.int(), frozen: z.boolean() }),
  async handle({ services: { clock, timeline } }) {
    await timeline.refresh();
    return { now: toTimestamp(clock.now()), offsetMs: clock.state.offsetMs, frozen: clock.state.frozenAt !== null };
  },
});

const changeClock = controlOperation({
  method: 'POST',
  path: '/_control/clock',
  summary: 'Move, freeze, resume or reset the virtual clock',
  description:
    'Send exactly one of the fields. The call runs everything that falls due on the way, each at its own time. Then it returns.',
  body: clockBody,
  status: 200,
  answer: z.object({ now: z.string(), ran: z.object({ attempts: z.int(), evaluations: z.int() }) }),
  async handle({ services, body }) {
    const ran = await change(services, body);
    return { now: toTimestamp(services.clock.now()), ran };
  },
});

const settle = controlOperation({
  method: 'POST',
  path: '/_control/settle',
  summary: 'Wait until nothing is due or in flight',
  body: settleBody,
  status: 200,
  answer: z.object({
    settled: z.boolean(),
    pending: z
      .int()
      .describe('What is due but not in flight on this server. It includes what is in flight on another server'),
    inFlight: z.int(),
    nextDueAt: z.string().nullable(),
  }),
  async handle({ services: { timeline }, body: { timeoutMs } }) {
    const { settled, pending, inFlight, nextDueAt } = await timeline.settle(timeoutMs);
    return { settled, pending, inFlight, nextDueAt: nextDueAt === undefined ? null : toTimestamp(nextDueAt) };
  },
});

async function change(services: Services, { advance, set, freeze, resume }: z.output<typeof clockBody>) {
  if (advance !== undefined) {
    return await services.timeline.advance((now) => checked(now + advance));
  }
  if (set !== undefined) {
    const target = Date.parse(set);
    return await services.timeline.advance((now) => {
      if (target < now) throw validation(`The clock is at ${toTimestamp(now)} and never goes backwards.`);
      return checked(target);
    });
  }
  if (freeze) await services.timeline.freeze();
  else if (resume) await services.timeline.resume();
  else await services.timeline.reset();
  return { attempts: 0, evaluations: 0 };
}

function checked(target: number): number {
  if (target > END_OF_TIME) throw validation('The clock cannot move beyond the year 9998.');
  return target;
}

/** The calls that move time and wait for the work that this causes. */
export const clockOperations = [readClock, changeClock, settle];
