import type { Command } from 'commander';
import { addCommand } from '../../command.ts';

/** `svc-mock snapshot save` */
export function addSnapshotSave(parent: Command): void {
  addCommand(parent, {
    usage: 'save <name>',
    summary: 'save everything; replaces an older snapshot with the same name',
    examples: ['svc-mock snapshot save before-the-bug', 'svc-mock snapshot save before-the-bug --json'],
    async run({ control, output }, [name = '']) {
      await control.saveSnapshot({ name });
      output.result({ saved: name }, () => `Saved ${name}.`);
    },
  });
}
