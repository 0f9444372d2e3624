import type { Day } from './calendar.ts';

const LENGTH = 'YYYY-MM-DD'.length;

/** Converts days to the string that is stored: 10 characters for each day. */
export const packDays = (days: readonly Day[]): string => days.join('');

export function unpackDays(text: string): Day[] {
  const days: Day[] = [];
  for (let at = 0; at < text.length; at += LENGTH) days.push(text.slice(at, at + LENGTH));
  return days;
}
