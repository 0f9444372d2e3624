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
  const given = Object(headers);
  // Entries first: a Map or URLSearchParams has `get` too, which knows no letter case and hides a second value.
  if (!given[Symbol.iterator] && typeof given.get === 'function')
    return names.map((name) => given.get(name) ?? undefined);
  const found: (string | undefined)[] = [];
  const add = (key: string, value: unknown) => {
    const at = names.indexOf(key.toLowerCase());
    if (Array.isArray(value)) for (const one of value) add(key, one);
    else if (at >= 0 && value !== undefined) {
      if (at in found) throw duplicateHeader(names[at]);
      found[at] = `${value}`;
    }
  };
  if (given[Symbol.iterator]) for (const [key, value] of given) add(`${key}`, value);
  else for (const key in given) add(key, given[key]);
  return found;
}

/** The error about a header that stands twice in a request, or was joined from two. */
export function duplicateHeader(name: string | undefined): WebhookError {
  return new WebhookError('duplicate_header', 400, `${name} came twice; does a proxy add it?`);
}
