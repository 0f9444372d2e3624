import { UsageError } from './errors.ts';
import type { Settings } from './settings.ts';

/**
 * Resolves a URL that the service gave, or that a caller kept: a page's, or a subject's. It may be a path, which is
 * appended to `baseUrl`. One of another origin must not get the credential: it throws a {@link UsageError}, or what
 * `fail` makes of the message, which shows at most its origin.
 */
export function resolveUrl(
  url: string,
  { baseUrl, origin }: Pick<Settings, 'baseUrl' | 'origin'>,
  fail = (message: string): Error => new UsageError(message),
): string {
  // Only a path is relative to `baseUrl`: any text could be a relative URL.
  const resolved = parseUrl(url, url.startsWith('/') ? baseUrl : undefined);
  // User info would come before the host. `fetch` rejects it with a message that shows it.
  if (!resolved?.href.startsWith(`${origin}/`)) {
    throw fail(`Not a URL of ${origin} without user info: ${resolved?.origin ?? 'not absolute'}`);
  }
  // `//host` and `/\\host` name a host.
  return /^\/[^/\\\s]/.test(url) ? baseUrl + url : resolved.href;
}

/** A URL, or undefined if the text is none. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
