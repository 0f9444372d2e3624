import type { Command } from 'commander';
import { addCommand } from '../../command.ts';

/** `svc-mock snapshot delete` */
export function addSnapshotDelete(parent: Command): void {
  addCommand(parent, {
    usage: 'delete <name>',
    summary: 'delete a snapshot',
    examples: ['svc-mock snapshot delete before-the-bug', 'svc-mock snapshot delete before-the-bug --json'],
    async run({ control, output }, [name = '']) {
      await control.deleteSnapshot({ name });
      output.result({ deleted: name }, () => `Deleted ${name}.`);
    },
  });
}
