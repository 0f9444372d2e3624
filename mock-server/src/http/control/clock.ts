import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { parseDuration } from '../../domain/duration.ts';
import { validation } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { Services } from '../services.ts';
import { readControlBody } from './json.ts';

/** The last instant that a JavaScript date can show. */
const END_OF_TIME = 8.64e15;

const durationMs = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue('must be an ISO 8601 duration such as PT5M, or a short one such as 5m, 12h or 3d');
  return z.NEVER;
});

const clockBody = z.union(
  [
    z.strictObject({ advance: durationMs }),
    z.strictObject({ set: z.iso.datetime({ offset: true }) }),
    z.strictObject({ freeze: z.literal(true) }),
    z.strictObject({ reset: z.literal(true) }),
  ],
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
  if ('advance' in command) return await timeline.advanceTo(checked(clock.now() + command.advance));
  if ('set' in command) {
    const target = Date.parse(command.set);
    if (target < clock.now()) throw validation(`The clock is at ${toTimestamp(clock.now())} and never goes backwards.`);
    return await timeline.advanceTo(checked(target));
  }
  if ('freeze' in command) await timeline.freeze();
  else await timeline.reset();
  return { attempts: 0, evaluations: 0 };
}

function checked(target: number): number {
  if (target > END_OF_TIME) throw validation('The clock cannot be moved beyond the year 275760.');
  return target;
}
