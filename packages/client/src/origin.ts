import { UsageError } from './errors.ts';

/** Parses a URL that the credential may go to. Any other is a {@link UsageError}, which shows its origin at most. */
export function ownUrl(url: string, origin: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // `fetch` refuses user info with a message that shows it.
  if (parsed?.origin === origin && !hasUserInfo(parsed)) return parsed;
  throw new UsageError(`Not a URL of ${origin} without user info: ${parsed?.origin ?? 'no absolute URL'}`);
}

/** Whether a URL carries a user name or a password. */
export function hasUserInfo({ username, password }: URL): boolean {
  return !!(username || password);
}
