import type { Command } from 'commander';
import { closestMatch } from 'leven';
import { UsageError } from './exit-codes.ts';

export function rejectUnknown(parent: Command, given: readonly string[]): void {
  const [unknown] = given;
  if (unknown === undefined) return;
  const path = pathOf(parent);
  const names = namesIn(parent);
  const meant = !parent.parent && unknown === 'version' ? '--version' : closest(unknown, names);
  const name = `${path} ${unknown}`.slice('svc-mock '.length);
  const wrong = `There is no command "${name}".`;
  if (meant) throw new UsageError(`${wrong} Did you mean: ${path} ${meant}`);
  const all = parent.parent && names.length > 0 ? ` The commands are: ${names.join(', ')}.` : '';
  throw new UsageError(`${wrong}${all} Try: ${path} --help`);
}

/** Returns the full name of a command, such as `svc-mock deliveries list`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

export const namesIn = (parent: Command): string[] => parent.commands.map((command) => command.name());

/** Returns the known word most similar to `given`, or `undefined` if more than a third of the letters differ. */
export const closest = (given: string, known: string[]): string | undefined =>
  closestMatch(given, known, { maxDistance: Math.ceil(given.length / 3) });
