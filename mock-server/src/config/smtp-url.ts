import { ConfigError } from './config.ts';

/** The mail server, and the sender of the emails. */
export interface SmtpTarget {
  /** A URL that begins with `smtp://` or `smtps://`, with the user and password. */
  url: string;
  from: string;
}

const DEFAULT_FROM = 'Workspace Lifecycle Service <no-reply@localhost>';

/** Parses the URL of a mail server. The URL's `from` parameter is the sender. @throws {@link ConfigError} */
export function parseSmtpUrl(text: string): SmtpTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    // Do not show the URL in the message, because the URL may contain a password.
    throw new ConfigError(
      '--smtp must be a URL such as smtp://user:password@mail.example.com:587?from=svc@example.com.',
    );
  }
  const from = url.searchParams.get('from') ?? DEFAULT_FROM;
  url.searchParams.delete('from');
  return { url: url.href, from };
}
