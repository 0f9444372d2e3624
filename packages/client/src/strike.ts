/** Replaces the credential in a text, in case something echoed it. Returns an empty text if `value` is not a string. */
export function strike(value: unknown, credential: string): string {
  return typeof value === 'string' ? value.replaceAll(credential, '[credential]') : '';
}
