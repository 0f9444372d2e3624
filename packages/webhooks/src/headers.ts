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
 * Finds the value of each header that is named, in lower case; undefined where it is missing. Several are joined with a comma, as
 * frameworks join them: whoever reads one has to refuse that, as a proxy, a framework and this library may look at different ones.
 */
export function readHeaders(headers: WebhookHeaders, names: readonly string[]): (string | undefined)[] {
  const given = Object(headers);
  // Entries first: a Map or URLSearchParams has `get` too, which knows no letter case and hides a second value.
  const entries = given[Symbol.iterator]
    ? given
    : typeof given.get === 'function'
      ? names.map((name) => [name, given.get(name)])
      : Object.entries(given);
  const found: (string | undefined)[] = [];
  for (const entry of entries) {
    const name = entry?.[0];
    const at = typeof name === 'string' ? names.indexOf(name.toLowerCase()) : -1;
    if (at < 0) continue;
    for (const one of Array.isArray(entry[1]) ? entry[1] : [entry[1]]) {
      // What is no text came over no wire.
      if (typeof one === 'string') found[at] = at in found ? `${found[at]},${one}` : one;
    }
  }
  return found;
}

/** The error about a header that stands twice in a request, or was joined from two. */
export function duplicateHeader(name: string): WebhookError {
  return new WebhookError('duplicate_header', 400, `${name} came twice; does a proxy add it?`);
}
