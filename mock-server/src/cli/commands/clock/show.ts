import type { Command } from 'commander';
import { formatDuration } from '../../../domain/duration.ts';
import { addCommand } from '../../command.ts';

/** `svc-mock clock show` */
export function addClockShow(parent: Command): void {
  addCommand(parent, {
    usage: 'show',
    summary: "show the service's clock (default)",
    examples: ['svc-mock clock', 'svc-mock clock show --json'],
    isDefault: true,
    async run({ control, output }) {
      const reading = await control.readClock();
      const { now, offsetMs, frozen } = reading;
      const ahead = Math.round(offsetMs / 1_000) * 1_000;
      output.result(reading, () =>
        output.fields([
          ['Now', now],
          ['Frozen', frozen ? output.style.yellow('yes: it moves only when you move it') : 'no'],
          [
            'Real time',
            ahead === 0 ? 'the same' : `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'earlier' : 'later'}`,
          ],
        ]),
      );
    },
  });
}
