import { ConfigError } from './config.ts';

/** Where emails go, and from whom they come. */
export interface SmtpTarget {
  /** `smtp://` or `smtps://`, with user and password. */
  url: string;
  from: string;
}

const DEFAULT_FROM = 'Workspace Lifecycle Service <no-reply@localhost>';

/** Reads the address of a mail server; its `from` parameter names the sender. @throws {@link ConfigError} */
export function parseSmtpUrl(text: string): SmtpTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    // The text may hold a password, so it is not shown.
    throw new ConfigError(
      '--smtp must be a URL such as smtp://user:password@mail.example.com:587?from=svc@example.com.',
    );
  }
  const from = url.searchParams.get('from') ?? DEFAULT_FROM;
  url.searchParams.delete('from');
  return { url: url.href, from };
}
