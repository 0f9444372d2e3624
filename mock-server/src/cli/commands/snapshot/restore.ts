import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { confirmOrStop } from '../../confirm.ts';
import { yesOption } from '../../options.ts';

/** `svc-mock snapshot restore` */
export function addSnapshotRestore(parent: Command): void {
  addCommand<{ yes?: true }>(parent, {
    usage: 'restore <name>',
    summary: 'restore everything, including the clock and the faults',
    examples: ['svc-mock snapshot restore before-the-bug', 'svc-mock snapshot restore before-the-bug --yes --json'],
    options: [yesOption()],
    async run({ control, output, url }, [name = ''], { yes }) {
      await confirmOrStop(
        output,
        `Replace everything on ${url} with the snapshot ${name}?`,
        { yes },
        'Nothing was restored.',
      );
      await control.restoreSnapshot({ name });
      output.result({ restored: name }, () => `Restored ${name}.`);
    },
  });
}
