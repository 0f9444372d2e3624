import type { Command } from 'commander';
import { examplesOfGroup, helpOfExamples } from './examples.ts';
import { UsageError } from './exit.ts';

/** Adds a command that only holds others, such as `deliveries`. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  const group = parent.command(name).description(summary).usage('<command> [options]').argument('[command]');
  addGroupExamples(group);
  return group.action((unknown: string | undefined) => {
    const names = group.commands.map((command) => command.name()).join(', ');
    const wrong =
      unknown === undefined ? `svc-mock ${name} requires a command` : `There is no command "${name} ${unknown}"`;
    throw new UsageError(`${wrong}: ${names}. Try: svc-mock ${name} --help`);
  });
}

/** Ends the group's help with examples of its commands. */
export function addGroupExamples(group: Command): void {
  group.addHelpText('after', () => helpOfExamples(examplesOfGroup(group)));
}
