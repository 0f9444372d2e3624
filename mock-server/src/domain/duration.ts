import type { DeliveryExplanation } from '@svc/contract/control/resources';

const UNIT_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

/** Years and months are not allowed, because their length varies. */
const ISO =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const SHORT = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/i;

/** Parses a duration such as `PT5M`, `P3D`, `5m` or `12h`. */
export function parseDuration(text: string): number | undefined {
  const short = SHORT.exec(text);
  if (short) return finite(Number(short[1]) * UNIT_MS[String(short[2]).toLowerCase() as keyof typeof UNIT_MS]);
  const iso = ISO.exec(text);
  if (!iso || /^P$|T$/i.test(text)) return undefined;
  const sizes = [UNIT_MS.w, UNIT_MS.d, UNIT_MS.h, UNIT_MS.m, UNIT_MS.s];
  return finite(sizes.reduce((ms, size, index) => ms + Number(iso[index + 1] ?? 0) * size, 0));
}

const finite = (ms: number) => (Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined);

/** Formats a duration in its two largest units, such as `2 h 30 min` or `12 ms`. */
export function formatDuration(ms: number): string {
  if (ms < UNIT_MS.s) return `${ms} ms`;
  let rest = ms;
  const parts: string[] = [];
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const count = Math.floor(rest / UNIT_MS[unit]);
    rest -= count * UNIT_MS[unit];
    if (count > 0) parts.push(`${count} ${unit === 'm' ? 'min' : unit}`);
  }
  return parts.slice(0, 2).join(' ');
}

/** Rounds a duration up to whole seconds, and uses the largest unit that divides the result: `30m`, `12h`, `91s`. */
export function compactDuration(ms: number): string {
  const rounded = Math.max(1, Math.ceil(ms / UNIT_MS.s)) * UNIT_MS.s;
  const unit = (['d', 'h', 'm'] as const).find((name) => rounded % UNIT_MS[name] === 0) ?? 's';
  return `${rounded / UNIT_MS[unit]}${unit}`;
}

/**
 * Returns how far to advance the clock for the next attempt, or `undefined` if no attempt is planned or the attempt is
 * already due. Rounds up to whole seconds (above a minute, to whole minutes), so that the number is easy to read.
 */
export function timeToNextAttemptMs(of: Pick<DeliveryExplanation, 'nextAttemptAt' | 'clock'>): number | undefined {
  const dueInMs = of.nextAttemptAt === null ? 0 : Date.parse(of.nextAttemptAt) - Date.parse(of.clock.now);
  if (dueInMs <= 0) return undefined;
  const unitMs = dueInMs > UNIT_MS.m ? UNIT_MS.m : UNIT_MS.s;
  return Math.ceil(dueInMs / unitMs) * unitMs;
}
