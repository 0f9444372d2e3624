import { WebhookError } from './error.ts';

/** The headers of a request: `Headers`, entries, or a plain object in any letter case, whose values may be arrays. */
export type WebhookHeaders = HeadersGetter | Iterable<readonly [string, string]> | HeadersObject;

/** What is needed of `Headers`. */
export interface HeadersGetter {
  get(name: string): string | null;
}

/** Headers as Node, Express and others give them. */
export interface HeadersObject {
  readonly [name: string]: string | readonly string[] | undefined;
}

/**
 * Finds the one value of each header that is named, in lower case; `undefined` where it is missing.
 * Two values throw `duplicate_header`: what a proxy, a framework and this library look at must never differ.
 */
export function readHeaders(headers: WebhookHeaders, names: readonly string[]): (string | undefined)[] {
  if (isGetter(headers)) return names.map((name) => headers.get(name) ?? undefined);
  const found: (string | undefined)[] = [];
  const given = Object(headers) as Exclude<WebhookHeaders, HeadersGetter>;
  for (const [key, values] of isIterable(given) ? given : Object.entries(given)) {
    const at = names.indexOf(String(key).toLowerCase());
    if (at < 0) continue;
    for (const value of [values ?? []].flat()) {
      if (found[at] !== undefined) throw duplicateHeader(names[at]);
      found[at] = String(value);
    }
  }
  return found;
}

function isGetter(headers: WebhookHeaders): headers is HeadersGetter {
  return typeof (headers as HeadersGetter | null)?.get === 'function' && !(headers instanceof Map);
}

function isIterable(headers: object): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

/** The error about a header that stands twice in a request, or was joined from two. */
export function duplicateHeader(name: string | undefined): WebhookError {
  return new WebhookError('duplicate_header', 400, `${name} came twice; does a proxy add it?`);
}
