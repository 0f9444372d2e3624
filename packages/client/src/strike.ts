/**
 * Replaces the credential in a string, in case something echoed it. Returns an empty string if `value` is not a string.
 */
export function strike(value: unknown, credential: string): string {
  return typeof value === 'string' ? value.replaceAll(credential, '[credential]') : '';
}
