import type { Command } from 'commander';
import { addCommand } from '../../command.ts';

/** `svc-mock faults clear` */
export function addFaultsClear(parent: Command): void {
  addCommand(parent, {
    usage: 'clear',
    summary: 'end all faults',
    examples: ['svc-mock faults clear', 'svc-mock faults clear --json'],
    async run({ control, output }) {
      await control.clearFaults();
      output.result({ ok: true }, () => 'All faults ended.');
    },
  });
}
