/** Replaces U+0000, which PostgreSQL cannot store, with U+FFFD. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);
