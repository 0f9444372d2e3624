export type Zone = 'local' | 'utc' | (string & {});

const zoneName = (zone: Zone): string | undefined => (zone === 'local' ? undefined : zone === 'utc' ? 'UTC' : zone);

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: Zone, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${kind} ${zone}`;
  const known = formats.get(key);
  if (known) return known;
  const timeZone = zoneName(zone);
  const made = new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone && { timeZone }) });
  formats.set(key, made);
  return made;
}

/** Formats a time with its date and the zone's offset: `1 Mar 2031, 00:35:00 UTC+1`. */
export const formatInstant = (at: number, zone: Zone): string =>
  formatOf(zone, 'whole', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  })
    .format(at)
    .replace('GMT', 'UTC')
    // Always write a zero offset as `UTC`, because engines write it in different ways.
    .replace(/UTC[+-]0$/, 'UTC');

/** Formats a time without its date: `00:35:00`. */
export const formatClock = (at: number, zone: Zone): string =>
  formatOf(zone, 'clock', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(at);

/** Formats a day without its year: `1 Mar`. */
export const formatDay = (at: number, zone: Zone): string =>
  formatOf(zone, 'day', { day: 'numeric', month: 'short' }).format(at);

export const isSameDay = (a: number, b: number, zone: Zone): boolean => {
  const day = formatOf(zone, 'date', { day: 'numeric', month: 'numeric', year: 'numeric' });
  return day.format(a) === day.format(b);
};
