import { UsageError } from './errors.ts';

/** Parses a URL that the credential may go to. Any other is a {@link UsageError}, or what `fail` makes of the message, which shows its origin at most. */
export function ownUrl(url: string, origin: string, fail = (message: string): Error => new UsageError(message)): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // `fetch` refuses user info with a message that shows it.
  if (parsed?.origin === origin && !userInfoOf(parsed)) return parsed;
  throw fail(`Not a URL of ${origin} without user info: ${parsed?.origin ?? 'no absolute URL'}`);
}

/** The user name and the password in a URL. */
export function userInfoOf({ username, password }: URL): string {
  return username + password;
}
