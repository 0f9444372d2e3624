/** A second implementation of the model, slow and simple: it only uses `Intl` and counts day by day. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

/** The local day at an instant. */
export function naiveDayOf(zone: string, at: number): string {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts['year']}-${parts['month']}-${parts['day']}`;
}

/** The next instant, minute by minute, whose day is later than every day seen until then. */
export function naiveNextStartAfter(zone: string, at: number): number {
  const today = naiveDayOf(zone, at);
  const minute = 60_000;
  let next = Math.floor(at / minute) * minute + minute;
  while (naiveDayOf(zone, next) <= today) next += minute;
  return next;
}

/** The day before or after, counted at noon in UTC, where each day has 24 hours. */
const neighbour = (day: string, step: 1 | -1) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + step * 86_400_000).toISOString().slice(0, 10);

function naiveDaysSince(day: string, today: string): number {
  let count = 0;
  for (let at = today; at > day; at = neighbour(at, -1)) count++;
  return count;
}

/** The days that end with `today`, latest first. */
function lastDays(today: string, count: number): string[] {
  const days = [today];
  while (days.length < count) days.push(neighbour(days.at(-1) as string, -1));
  return days;
}

const weekday = (day: string) => new Date(`${day}T12:00:00Z`).getUTCDay();

export interface NaiveProfile {
  firstSeenDay: string;
  lastSeenDay: string;
  activeDays: readonly string[];
}

/** Signals, scores and state of a profile, straight from the tables of the specification. */
export function naiveEvaluation(profile: NaiveProfile, today: string, weekStartsOn: number) {
  const isActive = (day: string) => profile.activeDays.includes(day);
  const count = (days: readonly string[]) => days.filter(isActive).length;
  const thisWeek: string[] = [];
  for (let day = today; ; day = neighbour(day, -1)) {
    thisWeek.unshift(day);
    if (weekday(day) === weekStartsOn) break;
  }
  const lastWeek: string[] = [];
  for (let day = neighbour(thisWeek[0] as string, -1); lastWeek.length < 7; day = neighbour(day, -1))
    lastWeek.unshift(day);
  const signals = {
    daysSinceLastSeen: naiveDaysSince(profile.lastSeenDay, today),
    daysSinceFirstSeen: naiveDaysSince(profile.firstSeenDay, today),
    activeDaysLast7: count(lastDays(today, 7)),
    activeDaysLast28: count(lastDays(today, 28)),
    activeDaysThisWeek: count(thisWeek),
    activeDaysLastWeek: count(lastWeek),
    weekOverWeek: count(thisWeek) - count(lastWeek.slice(0, thisWeek.length)),
  };
  const { daysSinceLastSeen: away, activeDaysLast28: active, weekOverWeek } = signals;
  // In 28ths, which are exact: 70 × active / 28 + 30 × max(0, 1 − away / 28), and 20 / 7 = 80 / 28.
  const engagement = 70 * active + 30 * Math.max(0, 28 - away);
  const churnRisk = 80 * Math.min(28, away) + 80 * Math.min(7, Math.max(0, -weekOverWeek));
  const rounded = (parts: number) => Math.floor(parts / 28) + (parts % 28 >= 14 ? 1 : 0);
  let state = 'active';
  if (away >= 14 || weekOverWeek <= -2) state = 'at_risk';
  if (signals.daysSinceFirstSeen < 7) state = 'new';
  if (away >= 28) state = 'dormant';
  if (away >= 90) state = 'churned';
  return { signals, scores: { engagement: rounded(engagement), churnRisk: rounded(churnRisk) }, state };
}
