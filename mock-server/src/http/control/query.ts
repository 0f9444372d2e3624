import type { z } from 'zod';
import { validation } from '../errors.ts';
import { printableName } from '../ignored-input.ts';
import { parseOrThrow } from '../parse.ts';
import { namesOnce } from '../query.ts';

/** A request can have any number of unknown names. Only the first names are ever shown. */
const NAMES_MAX = 10;

/**
 * Reads the query of a control call, if the call has one.
 *
 * @throws 400 if a parameter is not valid, is unknown, or is given twice.
 */
export function readControlQuery(schema: z.ZodObject | undefined, parameters: URLSearchParams): unknown {
  const known = schema?.shape ?? {};
  const unknown = [...namesOnce(parameters)].filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) {
    const names = unknown.slice(0, NAMES_MAX).map(printableName).join(', ');
    throw validation(`Invalid query: it has unknown parameters: ${names}.`);
  }
  return schema && parseOrThrow<unknown>(schema, Object.fromEntries(parameters), 'query');
}
