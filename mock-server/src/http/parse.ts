import { type Operation, SEARCH_WORDS_MAX } from '@svc/contract';
import { bodySchemas, querySchemas } from '@svc/contract/schemas';
import type { z } from 'zod';
import { redactSecrets } from '../domain/credential.ts';
import { schemaProblem } from '../domain/schema-problem.ts';
import { wordsOf } from '../domain/search.ts';
import { validation } from './errors.ts';

export function parseOrThrow<Value>(schema: z.ZodType<Value>, value: unknown, what: 'body' | 'query'): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, problem } = schemaProblem(result.error, value);
  throw validation(`Invalid ${what}: ${path ? `"${path}"` : 'it'} ${problem}.`);
}

/** @throws 400 if a parameter is invalid, or if any parameter except `expand` is given twice. */
export function readQuery(operation: Operation, parameters: URLSearchParams): unknown {
  const names = namesOnce(parameters, 'expand');
  if (!operation.query) return undefined;
  const schema = querySchemas[operation.query];
  const known = [...names].filter((name) => Object.hasOwn(schema.shape, name));
  const given = Object.fromEntries(known.map((name) => [name, parameters.getAll(name).join(',')]));
  return parseOrThrow<unknown>(schema as z.ZodType<unknown>, given, 'query');
}

/** @throws 400 if a parameter other than `repeatable` is given twice. */
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

/** Parses a list of names (service document, "Expanding" and "Errors"). @throws 400 if a name is not `allowed`. */
export function expandedFields(value: string | undefined, allowed: readonly string[]): ReadonlySet<string> {
  const fields = new Set((value ?? '').split(',').map((name) => name.trim()));
  fields.delete('');
  for (const name of fields) {
    if (!allowed.includes(name)) throw validation(`Unknown expand field: "${name}". Available: ${allowed.join(', ')}.`);
  }
  return fields;
}

/** Limits the number of unknown names in a report, because a request can have many long names. */
const NAMES_MAX = 10;
const NAME_MAX_LENGTH = 64;

/** Lists unknown names, such as `body.nme`. The list is short and percent-encoded, so it fits into a header. */
export function ignoredInput(
  operation: Operation,
  body: unknown,
  parameters: URLSearchParams,
  redact: (text: string) => string,
): string[] {
  const fields = operation.body === null ? {} : bodySchemas[operation.body].shape;
  const known = operation.query === null ? {} : querySchemas[operation.query].shape;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return [
    ...unknownNames(isObject ? Object.keys(body) : [], fields, redact).map((name) => `body.${name}`),
    ...unknownNames(parameters.keys(), known, redact).map((name) => `query.${name}`),
  ].slice(0, NAMES_MAX);
}

export function unknownNames(names: Iterable<string>, known: object, redact = redactSecrets): string[] {
  const unknown = [...new Set(names)].filter((name) => !Object.hasOwn(known, name));
  return unknown.slice(0, NAMES_MAX).map((name) => printableName(name, redact));
}

function printableName(name: string, redact = redactSecrets): string {
  const start = [...redact(name).slice(0, 2 * NAME_MAX_LENGTH)].slice(0, NAME_MAX_LENGTH).join('');
  return encodeURIComponent(start.toWellFormed());
}

export function searchWordsOf(q: string): string[] {
  const words = wordsOf(q);
  if (words.length <= SEARCH_WORDS_MAX) return words;
  throw validation(`Invalid query: "q" must have at most ${SEARCH_WORDS_MAX} words.`);
}
