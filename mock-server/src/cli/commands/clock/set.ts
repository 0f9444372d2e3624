import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { UsageError } from '../../exit.ts';
import { changeClock } from './move.ts';

/** `svc-mock clock set` */
export function addClockSet(parent: Command): void {
  addCommand(parent, {
    usage: 'set <time>',
    summary: 'move the clock forward to an instant; it never goes back',
    examples: ['svc-mock clock set 2031-03-01T00:00:00Z', 'svc-mock clock set 2031-03-01T01:00:00+01:00 --json'],
    async run(context, [time = '']) {
      const targetMs = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/i.test(time) ? Date.parse(time) : Number.NaN;
      if (Number.isNaN(targetMs)) {
        throw new UsageError(
          `The time must be ISO 8601 with Z or an offset, such as 2031-03-01T00:00:00Z, not "${time}".`,
        );
      }
      await changeClock(context, { set: time }, targetMs);
    },
  });
}
