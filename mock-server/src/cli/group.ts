import type { Command } from 'commander';
import { examplesOfGroup, helpOfExamples } from './examples.ts';
import { UsageError } from './exit.ts';
import { namesIn, rejectUnknown } from './unknown-command.ts';

/** Adds a command that only contains others, such as `deliveries`. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  const group = parent.command(name).description(summary).usage('<command> [options]').argument('[command...]');
  addGroupExamples(group);
  return group.action((given: string[]) => {
    rejectUnknown(group, given);
    throw new UsageError(
      `svc-mock ${name} requires a command: ${namesIn(group).join(', ')}. Try: svc-mock ${name} --help`,
    );
  });
}

/** Ends the group's help with examples of its commands. */
export function addGroupExamples(group: Command): void {
  group.addHelpText('after', () => helpOfExamples(examplesOfGroup(group)));
}
