import { UsageError } from './exit-codes.ts';

/**
 * Checks the URL of an option. An error message shows `text` (the URL as the user wrote it) only if `text` contains no
 * `@`: a password may precede an `@`.
 *
 * @param hint.example - A valid URL, for the message that rejects an invalid one.
 * @param hint.advice - What the user can do instead, for the message that rejects credentials in the URL.
 * @throws {@link UsageError} if `url` is not an http or https URL, or contains a user name or a password.
 */
export function checkHttpUrl(
  option: string,
  url: string,
  { text = url, example, advice = '' }: { text?: string; example: string; advice?: string },
): void {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    const shown = text.includes('@') ? '' : `, not "${text}"`;
    throw new UsageError(`${option} must be an http or https URL, such as ${example}${shown}.`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new UsageError(`${option} must not contain a user name or a password.${advice}`);
  }
}
