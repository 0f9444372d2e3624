import { UsageError } from './exit-codes.ts';

/**
 * `text` is the URL as the user typed it. If `text` contains an `@`, the error message omits `text`, because a password
 * may come before the `@`.
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
