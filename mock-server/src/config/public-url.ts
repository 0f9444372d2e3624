import { ConfigError } from './config.ts';

/** What paths can be put behind: no user info, query or fragment, and nothing that a parser would have to repair. */
const BASE = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

/**
 * The base of the URLs in answers, without a slash at its end.
 *
 * @throws {@link ConfigError} where no path can be put behind it. The text is not shown: it may hold a password.
 */
export function parsePublicUrl(text: string): string {
  if (BASE.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new ConfigError('The public URL must be an absolute http or https URL without user info, query or fragment.');
}
