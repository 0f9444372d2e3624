const UNIT_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

/** Years and months are rejected, because their length varies. */
const ISO =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const SHORT = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/i;

/**
 * Parses an ISO 8601 duration (`PT5M`, `P3D`) or a short form (`5m`, `12h`, `3d`). Returns milliseconds, or `undefined`
 * for any other string.
 */
export function parseDuration(text: string): number | undefined {
  const short = SHORT.exec(text);
  if (short) return finite(Number(short[1]) * UNIT_MS[String(short[2]).toLowerCase() as keyof typeof UNIT_MS]);
  const iso = ISO.exec(text);
  if (!iso || /^P$|T$/i.test(text)) return undefined;
  const [weeks, days, hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return finite(weeks * UNIT_MS.w + days * UNIT_MS.d + hours * UNIT_MS.h + minutes * UNIT_MS.m + seconds * UNIT_MS.s);
}

const finite = (ms: number) => (Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined);

/** Formats a duration for people, in its two largest units: `2 h 30 min`, `4 min 59 s`, `12 ms`. */
export function formatDuration(ms: number): string {
  if (ms < UNIT_MS.s) return `${ms} ms`;
  let rest = ms;
  const parts: string[] = [];
  for (const [name, unit] of [
    ['d', UNIT_MS.d],
    ['h', UNIT_MS.h],
    ['min', UNIT_MS.m],
    ['s', UNIT_MS.s],
  ] as const) {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(' ');
}
