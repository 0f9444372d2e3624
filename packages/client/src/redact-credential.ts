/**
 * Replaces the credential in a string with `[credential]`, because a response or a runtime's error may repeat the
 * credential. Returns an empty string if `value` is not a string.
 */
export function strike(value: unknown, credential: string): string {
  return typeof value === 'string' ? value.replaceAll(credential, '[credential]') : '';
}
