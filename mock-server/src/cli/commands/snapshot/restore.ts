import type { Command } from 'commander';
import { addCommand } from '../../command.ts';

/** `svc-mock snapshot restore` */
export function addSnapshotRestore(parent: Command): void {
  addCommand(parent, {
    usage: 'restore <name>',
    summary: 'restore everything, with the clock and the faults',
    examples: ['svc-mock snapshot restore before-the-bug', 'svc-mock snapshot restore before-the-bug --json'],
    async run({ control, output }, [name = '']) {
      await control.restoreSnapshot({ name });
      output.result({ restored: name }, () => `Restored ${name}.`);
    },
  });
}
