import { UsageError } from './errors.ts';
import type { Settings } from './settings.ts';

/**
 * Resolves the URL of a page or a subject, from the service or from a caller's storage. It may be a path, which is appended
 * to `baseUrl`. Throws if the URL is of another origin, because that origin must not get the credential. The error is a
 * {@link UsageError}, or what `fail` makes of the message. The message shows at most the URL's origin.
 */
export function resolveUrl(
  url: string,
  { baseUrl, origin }: Pick<Settings, 'baseUrl' | 'origin'>,
  fail = (message: string): Error => new UsageError(message),
): string {
  // Only a path is relative to `baseUrl`. Any text could be a relative URL.
  const resolved = parseUrl(url, url.startsWith('/') ? baseUrl : undefined);
  // This also rejects user info, which comes before the host. `fetch` would reject it with a message that shows it.
  if (!resolved?.href.startsWith(`${origin}/`)) {
    throw fail(`Not a URL of ${origin} without user info: ${resolved?.origin ?? 'not absolute'}`);
  }
  // `//host` and `/\\host` name a host, so they are not paths.
  return /^\/[^/\\\s]/.test(url) ? baseUrl + url : resolved.href;
}

/** Parses a URL. Returns undefined if the text is not a URL. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
