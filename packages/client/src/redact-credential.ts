/**
 * Replaces the credential in a string with `[credential]`, in case the service or the runtime repeated it. Returns an
 * empty string if `value` is not a string.
 */
export function strike(value: unknown, credential: string): string {
  return typeof value === 'string' ? value.replaceAll(credential, '[credential]') : '';
}
