import { UsageError } from './errors.ts';

export interface Address {
  /** The part of each URL before `/v1`, without a slash at the end. */
  baseUrl: string;
  origin: string;
}

/**
 * Resolves a URL from the service, from the caller or from the caller's storage. A path is appended to `baseUrl`, unless
 * the path already begins with the path of `baseUrl`. Throws if the URL has another origin, because that origin must not
 * receive the credential. Also throws if the URL's path has empty segments, `.`, `..` or characters that URL parsers
 * change, because the request would then go to another path. The error is a {@link UsageError}, or the error that `fail`
 * creates from the message. The message shows at most the URL's origin.
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
  // Check `url`, because the parser has already changed the path of `resolved`.
  if (/^[^?#]*([\s\\]|\/(\.|%2e){0,2}([/?#]|$))/i.test(url.replace(/^\w*:?\/\//, ''))) {
    throw fail('Not a path: encode each part; omit "", ".", ".."');
  }
  // `//host` is not a path, although it begins with a slash.
  return /^\/[^/]/.test(url) && !resolved.href.startsWith(`${baseUrl}/`) ? baseUrl + url : resolved.href;
}

/** Parses a URL. Returns undefined if the string is not a URL. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
