const DAY_MS = 86_400_000;

export interface StripDay {
  /** A calendar day, for example `2031-03-01`. */
  day: string;
  isActive: boolean;
}

export const dayOf = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);

/**
 * Returns the last `count` days, oldest first. Counts calendar days and not hours, so that daylight saving time does
 * not skip or repeat a day.
 */
export function calendarStrip(activeDays: readonly string[], today: string, count: number): StripDay[] {
  const active = new Set(activeDays);
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(last - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, isActive: active.has(day) };
  });
}
