import type { Command } from 'commander';
import { closestMatch } from 'leven';
import { UsageError } from './exit-codes.ts';

export function rejectUnknown(parent: Command, given: readonly string[]): void {
  const [unknown] = given;
  if (unknown === undefined) return;
  const path = pathOf(parent);
  const meant = !parent.parent && unknown === 'version' ? '--version' : closest(unknown, namesIn(parent));
  const group = path.slice('svc-mock'.length).trimStart();
  const wrong = `There is no command "${group ? `${group} ` : ''}${unknown}"`;
  if (meant) throw new UsageError(`${wrong}. Did you mean: ${path} ${meant}`);
  throw new UsageError(
    `${group ? `${wrong}. The commands are: ${namesIn(parent).join(', ')}` : wrong}. Try: ${path} --help`,
  );
}

/** Returns the full name of a command, such as `svc-mock deliveries list`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

export const namesIn = (parent: Command): string[] => parent.commands.map((command) => command.name());

/**
 * Returns the known word that is most similar to `given`. Returns `undefined` if this word differs too much: in more
 * letters than a third of the length of `given`, rounded up.
 */
export const closest = (given: string, known: string[]): string | undefined =>
  closestMatch(given, known, { maxDistance: Math.ceil(given.length / 3) });
