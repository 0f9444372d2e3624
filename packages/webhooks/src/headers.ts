import { isString } from './option-checks.ts';

/** A request's headers: `Headers`, entries or an object. Names can have any case. An object's values can be arrays. */
export type WebhookHeaders = HeadersGetter | Iterable<readonly [string, string]> | HeadersObject;

/**
 * The part of `Headers` that is declared in every version of TypeScript. At run time, the object must also be iterable,
 * as `Headers` is in every runtime.
 */
export interface HeadersGetter {
  get(name: string): string | null;
  forEach(act: (value: string, name: string) => void): void;
}

/** Headers in the form that Node and Express provide. */
export interface HeadersObject {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** The headers of a request, keyed by name in lower case. A comma joins the values of a repeated header. */
export interface HeaderValues {
  readonly [name: string]: string | undefined;
}

/**
 * Returns headers, keyed by name in lower case. Joins the values of a repeated header with a comma, as frameworks
 * do. The caller must reject a repeated webhook header, because a proxy, a framework and this library may each
 * use a different value.
 */
export function readHeaders(headers: WebhookHeaders): HeaderValues {
  const given = Object(headers);
  const found: { [name: string]: string } = Object.create(null);
  for (const entry of given[Symbol.iterator] ? given : Object.entries(given)) {
    if (!isString(entry?.[0])) continue;
    const name = entry[0].toLowerCase();
    const value = Array.isArray(entry[1]) ? entry[1].filter(isString).join() : entry[1];
    if (isString(value)) found[name] = name in found ? `${found[name]},${value}` : value;
  }
  return found;
}
