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
  const found: (string | undefined)[] = [];
  const take = (name: unknown, value: unknown) => {
    // Most headers are others: their length tells, without a copy in lower case.
    const at =
      typeof name === 'string'
        ? names.findIndex((wanted) => wanted.length === name.length && wanted === name.toLowerCase())
        : -1;
    if (at < 0) return;
    // Only text can come over the wire.
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === 'string') found[at] = found[at] === undefined ? one : `${found[at]},${one}`;
  };
  const canGet = typeof given.get === 'function';
  // Entries first: a Map or URLSearchParams has `get` too, which is case-sensitive and hides a second value.
  if (given[Symbol.iterator]) for (const entry of given) take(entry?.[0], entry?.[1]);
  else for (const name of canGet ? names : Object.keys(given)) take(name, canGet ? given.get(name) : given[name]);
  return found;
}
