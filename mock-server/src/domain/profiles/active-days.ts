import type { Day } from './calendar.ts';

const LENGTH = 'YYYY-MM-DD'.length;

/** Days as they are stored: one text, each day at a multiple of 10 characters. */
export const packDays = (days: readonly Day[]): string => days.join('');

/** Reads {@link packDays}. */
export function unpackDays(text: string): Day[] {
  const days: Day[] = [];
  for (let at = 0; at < text.length; at += LENGTH) days.push(text.slice(at, at + LENGTH));
  return days;
}
