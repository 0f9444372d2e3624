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

  async changeClock({ services, body, signal }) {
    const ran = await change(services, body, signal);
    return { now: toTimestamp(services.clock.now()), ran };
  },

  async settle({ services: { timeline }, body: { timeoutMs } }) {
    const { settled, pending, inFlight, nextDueAt } = await timeline.settle(timeoutMs);
    return { settled, pending, inFlight, nextDueAt: toTimestampOrNull(nextDueAt) };
  },
} satisfies Partial<ControlHandlers>;

async function change({ timeline }: Services, body: ControlCall<'changeClock'>['body'], caller: AbortSignal) {
  const { advance, set, freeze, resume } = body;
  if (advance !== undefined) {
    const ms = parseDuration(advance);
    if (ms === undefined) {
      throw validation(
        'Invalid body: "advance" must be an ISO 8601 duration such as PT5M, or a short form such as 5m, 12h or 3d.',
      );
    }
    return await timeline.advance((now) => checked(now + ms), caller);
  }
  if (set !== undefined) {
    const target = Date.parse(set);
    return await timeline.set((now) => {
      if (target < now)
        throw validation(`The clock is at ${toTimestamp(now)}. Only a reset or a restore can set it back.`);
      return checked(target);
    }, caller);
  }
  if (freeze) await timeline.freeze(caller);
  else if (resume) await timeline.resume(caller);
  else await timeline.reset(caller);
  return { attempts: 0, evaluations: 0 };
}

function checked(target: number): number {
  if (target > END_OF_TIME) throw validation('The clock cannot move beyond the year 9998.');
  return target;
}
