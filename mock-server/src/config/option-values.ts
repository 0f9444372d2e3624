import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import { parseInstant } from '../domain/instant.ts';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';
import { parseOrigin } from './urls.ts';

/* Parsers for the values of options. Commander adds the name of the option or the variable to each message. */

export const parserOf =
  <Value>(parse: (text: string) => Value | undefined, form: string) =>
  (text: string): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`The value must ${form}.`);
  };

/** Returns the values of a comma-separated list. */
export const partsOf = (text: string): string[] => text.split(',').map((part) => part.trim());

export const wholeNumber = (min: number, max = 1_000_000) =>
  parserOf((text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  }, `be an integer between ${min} and ${max}`);

/** Rejects an empty name, which would mean the current folder. A script passes an empty name if a variable is unset. */
export const folder = parserOf((text) => (text.trim() === '' ? undefined : text), 'be the path of a folder');

export function origin(text: string): string {
  try {
    return parseOrigin(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

export const instant = parserOf(
  parseInstant,
  'be an ISO 8601 string with Z or an offset, such as 2031-03-01T00:00:00Z, in the years 1 to 9998',
);

export const durations = parserOf((text) => {
  const delays = partsOf(text).map(parseDuration);
  return delays.every((ms) => ms !== undefined) ? delays : undefined;
}, 'be a list of durations, such as 5m,30m,PT2H');

export const roles = parserOf(
  (text): NodeRole[] | undefined => {
    const named = partsOf(text);
    const chosen = NODE_ROLES.filter((role) => named.includes(role));
    return chosen.length === new Set(named).size ? chosen : undefined;
  },
  `list one or more of these roles, separated by commas: ${NODE_ROLES.join(', ')}`,
);

export const retention = parserOf(
  (text) => parseDuration(text) || undefined,
  'be a duration longer than zero, such as 12h, 90d or P30D',
);
