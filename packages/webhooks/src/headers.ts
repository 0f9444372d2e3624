/** The headers of a request: `Headers`, entries, or a plain object in any letter case, whose values may be arrays. */
export type WebhookHeaders = HeadersGetter | Iterable<readonly [string, string]> | HeadersObject;

/** `Headers`, as every compiler knows it. At run time it must be iterable, as `Headers` is in every runtime. */
export interface HeadersGetter {
  get(name: string): string | null;
  forEach(act: (value: string, name: string) => void): void;
}

/** Headers as Node, Express and others provide them. */
export interface HeadersObject {
  readonly [name: string]: string | readonly string[] | undefined;
}

/**
 * Returns the value of each named header, or `undefined` if it is missing. Names are in lower case.
 * It joins repeated values with a comma, as frameworks do. The caller must reject them: a proxy, a framework and this
 * library may each read a different one.
 */
export function readHeaders(headers: WebhookHeaders, names: readonly string[]): (string | undefined)[] {
  const given = Object(headers);
  const found: (string | undefined)[] = [];
  for (const entry of given[Symbol.iterator] ? given : Object.entries(given)) {
    const name = entry?.[0];
    const value = entry?.[1];
    const at = names.indexOf(typeof name === 'string' ? name.toLowerCase() : '');
    if (at < 0) continue;
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === 'string') found[at] = at in found ? `${found[at]},${one}` : one;
  }
  return found;
}
