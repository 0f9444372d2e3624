import type { Command } from 'commander';

/** The examples of each command. */
export const examplesOf = new WeakMap<Command, readonly string[]>();

/** Two examples from the commands of a group. */
export function examplesOfGroup({ commands }: Command): string[] {
  const each = commands.map((command) => examplesOf.get(command) ?? []);
  // First one of each command, then the others.
  return [...each.flatMap(([first = []]) => first), ...each.flatMap(([, ...others]) => others)].slice(0, 2);
}

/** Examples, as help shows them at its end. */
export const helpOfExamples = (examples: readonly string[]) =>
  `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`;
