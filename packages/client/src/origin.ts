import { UsageError } from './errors.ts';

export interface Address {
  /** The part of each URL before `/v1`, without a slash at the end. */
  baseUrl: string;
  origin: string;
}

/**
 * Resolves a URL from the service, from the caller or from the caller's storage. If the URL is a path, it is appended
 * to `baseUrl`. Throws if the URL has another origin, because that origin must not receive the credential. Also throws
 * if the URL's path has parts that URL parsers change, such as `..`, because the request would then go to another path.
 * The error is a {@link UsageError}, or the error that `fail` creates from the message. The message shows at most the
 * URL's origin.
 */
export function resolveUrl(
  url: string,
  { baseUrl, origin }: Address,
  fail = (message: string): Error => new UsageError(message),
): string {
  // Resolve only a path against `baseUrl`, because almost any string is a valid relative URL. Use `?.`, because untyped
  // code may pass null.
  const resolved = parseUrl(url, url?.[0] === '/' ? baseUrl : undefined);
  // This check also rejects user info, which the message of `fetch` would show.
  if (!resolved?.href.startsWith(`${origin}/`)) {
    throw fail(`The URL is not on ${origin}, or has user info: ${resolved?.origin ?? 'no host'}`);
  }
  // Empty segments, `.`, `..` and characters that URL parsers change would lead to another path. `resolved` already has
  // that path, so check `url`.
  if (/^[^?#]*([\s\\]|\/(\.|%2e){0,2}([/?#]|$))/i.test(url.replace(/^\w*:?\/\//, ''))) {
    throw fail('Not a path: encode each part; omit "", ".", ".."');
  }
  // `//host` is not a path, although it begins with a slash.
  return /^\/[^/]/.test(url) ? baseUrl + url : resolved.href;
}

/** Parses a URL. Returns undefined if the string is not a URL. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
