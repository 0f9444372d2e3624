import { ConfigError } from './config.ts';

/**
 * Matches a URL to which paths can be appended: without user info, query or fragment, and without any part that a
 * parser would correct.
 */
const BASE = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

/**
 * Parses the base of the URLs in responses. Removes a trailing slash.
 *
 * @throws {@link ConfigError} if no path can be appended to the URL. The message does not contain the URL, because the
 *   URL may contain a password.
 */
export function parsePublicUrl(text: string): string {
  if (BASE.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new ConfigError(
    'The public URL (--public-url or SVC_PUBLIC_URL) must be an absolute http or https URL without user info, query or fragment.',
  );
}
