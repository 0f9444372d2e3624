import { ConfigError } from './config.ts';

/**
 * A URL that paths can be appended to: no user info, query or fragment, and nothing that a parser would have to
 * correct.
 */
const BASE = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

/**
 * The base of the URLs in responses, without a trailing slash.
 *
 * @throws {@link ConfigError} if no path can be appended to it. The message does not contain the URL, which may contain
 *   a password.
 */
export function parsePublicUrl(text: string): string {
  if (BASE.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new ConfigError(
    'The public URL (--public-url or SVC_PUBLIC_URL) must be an absolute http or https URL without user info, query or fragment.',
  );
}
