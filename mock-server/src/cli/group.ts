import type { Command } from 'commander';
import { UsageError } from './exit.ts';

/** Adds a command that only holds others, such as `deliveries`. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  const group = parent.command(name).description(summary).usage('<command> [options]').argument('[command]');
  return group.action((unknown: string | undefined) => {
    const names = group.commands.map((command) => command.name()).join(', ');
    const wrong =
      unknown === undefined ? `svc-mock ${name} requires a command` : `There is no command "${name} ${unknown}"`;
    throw new UsageError(`${wrong}: ${names}. Try: svc-mock ${name} --help`);
  });
}
