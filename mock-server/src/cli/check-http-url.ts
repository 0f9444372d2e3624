import { UsageError } from './exit-codes.ts';

/**
 * Throws {@link UsageError} if the URL of an option is not an http or https URL, or contains a user name or a password.
 * `text` is the URL as the user wrote it. If `text` contains an `@`, the message does not show `text`, because there
 * may be a password before the `@`.
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
