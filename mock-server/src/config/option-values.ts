import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import { parseInstant } from '../domain/instant.ts';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';
import { parseOrigin } from './urls.ts';

/* Parsers for the values of options. Commander adds the name of the option or the variable to each message. */

export function wholeNumber(min: number, max = 1_000_000) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`The value must be an integer between ${min} and ${max}.`);
  };
}

/** Rejects an empty name, which would mean the current folder. A script with an unset variable passes an empty name. */
export function folder(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('The value must be the path of a folder.');
}

export function origin(text: string): string {
  try {
    return parseOrigin(text.trim());
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

export function instant(text: string): number {
  const at = parseInstant(text);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(
    'The value must be an ISO 8601 string with Z or an offset, such as 2031-03-01T00:00:00Z, in the years 1 to 9998.',
  );
}

export function durations(text: string): number[] {
  return text.split(',').map((part) => {
    const ms = parseDuration(part.trim());
    if (ms === undefined) throw new InvalidArgumentError('The value must be a list of durations, such as 5m,30m,PT2H.');
    return ms;
  });
}

export function roles(text: string): NodeRole[] {
  const named = text.split(',').map((part) => part.trim());
  const chosen = NODE_ROLES.filter((role) => named.includes(role));
  if (chosen.length === new Set(named).size) return chosen;
  throw new InvalidArgumentError(
    `The value must list one or more of these roles, separated by commas: ${NODE_ROLES.join(', ')}.`,
  );
}

export function retention(text: string): number {
  const ms = parseDuration(text);
  if (ms) return ms;
  throw new InvalidArgumentError('The value must be a duration longer than zero, such as 12h, 90d or P30D.');
}
