import { parseDuration } from '../../domain/duration.ts';
import { validation } from '../errors.ts';
import { toTimestamp, toTimestampOrNull } from '../present.ts';
import type { Services } from '../services.ts';
import type { ControlCall, ControlHandlers } from './operation.ts';

/** The clock stops before the year 9999, so that later times, such as the time of a retry, can fall in that year. */
const END_OF_TIME = Date.UTC(9999, 0, 1);

export const clockHandlers = {
  async readClock({ services: { clock, timeline } }) {
    await timeline.refresh();
    return { now: toTimestamp(clock.now()), offsetMs: clock.offsetMs, frozen: clock.state.frozenAt !== null };
  },

  async changeClock({ services, body }) {
    const ran = await change(services, body);
    return { now: toTimestamp(services.clock.now()), ran };
  },

  async settle({ services: { timeline }, body: { timeoutMs } }) {
    const { settled, pending, inFlight, nextDueAt } = await timeline.settle(timeoutMs);
    return { settled, pending, inFlight, nextDueAt: toTimestampOrNull(nextDueAt) };
  },
} satisfies Partial<ControlHandlers>;

async function change(services: Services, { advance, set, freeze, resume }: ControlCall<'changeClock'>['body']) {
  if (advance !== undefined) {
    const ms = parseDuration(advance);
    if (ms === undefined) {
      throw validation(
        'Invalid body: "advance" must be an ISO 8601 duration such as PT5M, or a short form such as 5m, 12h or 3d.',
      );
    }
    return await services.timeline.advance((now) => checked(now + ms));
  }
  if (set !== undefined) {
    const target = Date.parse(set);
    return await services.timeline.set((now) => {
      if (target < now)
        throw validation(`The clock is at ${toTimestamp(now)}. Only a reset or a restore can set it back.`);
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
