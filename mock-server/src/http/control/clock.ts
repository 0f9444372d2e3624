import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { parseDuration } from '../../domain/duration.ts';
import { validation } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { Services } from '../services.ts';
import { readControlBody } from './json.ts';

/** Retries reach up to four days further, and timestamps are documented with years of four digits. */
const END_OF_TIME = Date.UTC(9999, 0, 1);

const durationMs = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue('must be an ISO 8601 duration such as PT5M, or a short one such as 5m, 12h or 3d');
  return z.NEVER;
});

const clockBody = z
  .strictObject({
    advance: durationMs.optional(),
    set: z.iso.datetime({ offset: true }).optional(),
    freeze: z.literal(true).optional(),
    reset: z.literal(true).optional(),
  })
  .refine(
    (body) => Object.keys(body).length === 1,
    'must be one of { "advance": "PT5M" }, { "set": "<ISO 8601>" }, { "freeze": true } and { "reset": true }',
  );

const settleBody = z.strictObject({ timeoutMs: z.int().min(0).max(600_000).default(30_000) });

export function registerClock(app: Hono, services: Services): void {
  const { clock, timeline } = services;

  app.get('/_control/clock', async (c) => {
    await timeline.refresh();
    return c.json({
      now: toTimestamp(clock.now()),
      offsetMs: clock.state.offsetMs,
      frozen: clock.state.frozenAt !== null,
    });
  });

  app.post('/_control/clock', async (c) => {
    const ran = await change(c, services);
    return c.json({ now: toTimestamp(clock.now()), ran });
  });

  app.post('/_control/settle', async (c) => {
    const { timeoutMs } = await readControlBody(c, settleBody);
    const { nextDueAt, ...state } = await timeline.settle(timeoutMs);
    return c.json({ ...state, nextDueAt: nextDueAt === undefined ? null : toTimestamp(nextDueAt) });
  });
}

async function change(c: Context, { clock, timeline }: Services) {
  const command = await readControlBody(c, clockBody);
  await timeline.refresh();
  if (command.advance !== undefined) return await timeline.advanceTo(checked(clock.now() + command.advance));
  if (command.set !== undefined) {
    const target = Date.parse(command.set);
    if (target < clock.now()) throw validation(`The clock is at ${toTimestamp(clock.now())} and never goes backwards.`);
    return await timeline.advanceTo(checked(target));
  }
  if (command.freeze) await timeline.freeze();
  else await timeline.reset();
  return { attempts: 0, evaluations: 0 };
}

function checked(target: number): number {
  if (target > END_OF_TIME) throw validation('The clock cannot be moved beyond the year 9998.');
  return target;
}
