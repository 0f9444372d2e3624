/** A text as PostgreSQL can keep it: every character but U+0000, which becomes U+FFFD. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);
