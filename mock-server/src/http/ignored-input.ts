import { API_HEADERS, type Operation } from '@svc/contract';
import { bodySchemas, querySchemas } from '@svc/contract/schemas';
import { redactSecrets } from '../domain/credential.ts';

/** The response header of the local profile that lists ignored input. */
export const IGNORED_HEADER = API_HEADERS.ignored;

/** The limits for the names that are shown. A request can have any number of unknown names, of any length. */
const NAMES_MAX = 10;
const NAME_MAX_LENGTH = 64;

/**
 * Lists the body fields and query parameters that an operation does not have, such as `body.nme` and
 * `query.createdAfter`. Names are percent-encoded, so that each list fits into a header and a log line. Credentials and
 * secrets are redacted.
 */
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
    ...unknownNames(isObject ? Object.keys(body) : [], fields).map((name) => `body.${printableName(name, redact)}`),
    ...unknownNames(parameters.keys(), known).map((name) => `query.${printableName(name, redact)}`),
  ].slice(0, NAMES_MAX);
}

const unknownNames = (names: Iterable<string>, known: object): string[] =>
  [...new Set(names)].filter((name) => !Object.hasOwn(known, name)).slice(0, NAMES_MAX);

/** Returns the beginning of a name from a request, percent-encoded and without secrets. */
export function printableName(name: string, redact = redactSecrets): string {
  const start = [...redact(name).slice(0, 2 * NAME_MAX_LENGTH)].slice(0, NAME_MAX_LENGTH).join('');
  return encodeURIComponent(start.toWellFormed());
}
