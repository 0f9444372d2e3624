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
  const base = url.startsWith('/') ? baseUrl : undefined;
  const resolved = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (resolved?.origin !== origin || userInfoOf(resolved)) {
    throw fail(`Not a URL of ${origin} without user info: ${resolved?.origin ?? 'not absolute'}`);
  }
  // `//host` and `/\\host` name a host.
  return /^\/[^/\\\s]/.test(url) ? baseUrl + url : resolved.href;
}

/** The user name and the password in a URL. `fetch` rejects them with a message that shows them. */
export function userInfoOf({ username, password }: URL): string {
  return username + password;
}
