import { ConfigError } from './config.ts';

/** The mail server and the sender. */
export interface SmtpTarget {
  /** `smtp://` or `smtps://`, with user and password. */
  url: string;
  from: string;
}

const DEFAULT_FROM = 'Workspace Lifecycle Service <no-reply@localhost>';

/** Reads the URL of a mail server. Its `from` parameter is the sender. @throws {@link ConfigError} */
export function parseSmtpUrl(text: string): SmtpTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    // Do not show the URL, because it may contain a password.
    throw new ConfigError(
      '--smtp must be a URL such as smtp://user:password@mail.example.com:587?from=svc@example.com.',
    );
  }
  const from = url.searchParams.get('from') ?? DEFAULT_FROM;
  url.searchParams.delete('from');
  return { url: url.href, from };
}
