import type { Operation } from '@svc/contract';
import { querySchemas } from '@svc/contract/schemas';
import type { z } from 'zod';
import { validation } from './errors.ts';
import { printableName } from './ignored-input.ts';
import { parseOrThrow } from './parse.ts';

/**
 * Reads the query of an operation and ignores the parameters that the operation does not have.
 *
 * @returns the parsed query, and its filters as they were sent: all parameters except `limit` and `page`.
 * @throws 400 if a parameter is not valid, or if any parameter is given twice, even if the operation does not have this
 *   parameter. Only `expand` may be given twice: its lists are joined.
 */
export function readQuery(
  operation: Operation,
  parameters: URLSearchParams,
): { query: unknown; filters: Readonly<Record<string, string>> } {
  const names = namesOnce(parameters, 'expand');
  if (!operation.query) return { query: undefined, filters: {} };
  const schema = querySchemas[operation.query];
  const known = [...names].filter((name) => Object.hasOwn(schema.shape, name));
  const given = Object.fromEntries(known.map((name) => [name, parameters.getAll(name).join(',')]));
  const query = parseOrThrow<unknown>(schema as z.ZodType<unknown>, given, 'query');
  const { limit: _limit, page: _page, ...filters } = given;
  return { query, filters };
}

/**
 * Returns the names of the parameters.
 *
 * @throws 400 if a parameter other than `repeatable` is given twice.
 */
export function namesOnce(parameters: URLSearchParams, repeatable?: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const name of parameters.keys()) {
    if (names.has(name) && name !== repeatable) {
      throw validation(`Invalid query: "${printableName(name)}" is given twice.`);
    }
    names.add(name);
  }
  return names;
}
