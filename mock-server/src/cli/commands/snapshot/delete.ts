import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { confirmOrStop } from '../../confirm.ts';
import { yesOption } from '../../options.ts';

/** `svc-mock snapshot delete` */
export function addSnapshotDelete(parent: Command): void {
  addCommand<{ yes?: true }>(parent, {
    usage: 'delete <name>',
    summary: 'delete a snapshot',
    examples: ['svc-mock snapshot delete before-the-bug', 'svc-mock snapshot delete before-the-bug --yes --json'],
    options: [yesOption()],
    async run({ control, output, url }, [name = ''], { yes }) {
      await confirmOrStop(output, `Delete the snapshot ${name} on ${url}?`, { yes }, 'Nothing was deleted.');
      await control.deleteSnapshot({ name });
      output.result({ deleted: name }, () => `Deleted ${name}.`);
    },
  });
}
