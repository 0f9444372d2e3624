import { ConfigError } from './config.ts';

export function parseOrigin(text: string): string {
  // An origin cannot contain a wildcard: `http://*.test` would match no page.
  if (URL.parse(text)?.origin === text && /^https?:[^*]+$/.test(text)) return text;
  throw new ConfigError(`"${text}" is not an origin. Write scheme, host and port, for example http://localhost:5173.`);
}

/** Rejects white space and backslashes, because URL parsers change these characters. */
const BASE = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

export const parsePublicUrl = (text: string): string =>
  parseBaseUrl(text, 'The public URL (--public-url or SVC_PUBLIC_URL)');

/** The error does not show the URL, which may contain a password. */
export function parseBaseUrl(text: string, name: string): string {
  if (BASE.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new ConfigError(`${name} must be an absolute http or https URL without user info, query or fragment.`);
}

export interface SmtpTarget {
  url: string;
  from: string;
}

const DEFAULT_FROM = 'Workspace Lifecycle Service <no-reply@localhost>';

/** The URL's parameter `from` is the sender. The error does not show the URL, which may contain a password. */
export function parseSmtpUrl(text: string): SmtpTarget {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new ConfigError(
      '--smtp must be a URL such as smtp://user:password@mail.example.com:587?from=svc@example.com.',
    );
  }
  const from = url.searchParams.get('from') ?? DEFAULT_FROM;
  url.searchParams.delete('from');
  return { url: url.href, from };
}
