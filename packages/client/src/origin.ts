import { UsageError } from './errors.ts';

/** The address of the service. */
export interface Address {
  /** The paths of operations are appended to it. It has no slash at the end. */
  baseUrl: string;
  origin: string;
}

/**
 * Resolves the URL of a page or a subject, from the service or from a caller's storage. It may be a path, which is
 * appended to `baseUrl`. Throws if the URL is of another origin, because that origin must not get the credential, or if
 * its path could lead to another endpoint. The error is a {@link UsageError}, or the error that `fail` creates from the
 * message. The message shows at most the URL's origin.
 */
export function resolveUrl(
  url: string,
  { baseUrl, origin }: Address,
  fail = (message: string): Error => new UsageError(message),
): string {
  // Only a path is relative to `baseUrl`. Any string could be a relative URL. Untyped code may pass null.
  const resolved = parseUrl(url, url?.[0] === '/' ? baseUrl : undefined);
  // This also rejects user info, which comes before the host. `fetch` would reject it with a message that shows it.
  if (!resolved?.href.startsWith(`${origin}/`)) {
    throw fail(`Not a URL of ${origin}, or with user info: ${resolved?.origin ?? 'not absolute'}`);
  }
  // `//host` is not a path.
  const whole = /^\/[^/]/.test(url) ? baseUrl + url : resolved.href;
  // An empty segment, `.` and `..` lead to another endpoint. So do characters that URL parsers change.
  if (/^[^?#]*([\s\\]|\/(\.|%2e){0,2}([/?#]|$))/i.test(whole.replace(origin, ''))) {
    throw fail('Not a path: encode each part; omit "", ".", ".."');
  }
  return whole;
}

/** Parses a URL. Returns undefined if the string is not a URL. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
