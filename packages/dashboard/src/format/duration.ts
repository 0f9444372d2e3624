const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration with at most two units: `4 min 58 s`, `3 d 5 h`. Below one second, the result is `0 s`. */
export function formatDuration(ms: number): string {
  let rest = Math.floor(Math.abs(ms) / 1_000) * 1_000;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    // Show only adjacent units: `1 d`, not `1 d 3 s`.
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break;
  }
  return parts.join(' ') || '0 s';
}

/** Formats a time difference with one unit: `in 4 min`, `3 h ago`, `now`. */
export function formatRelative(ms: number): string {
  if (Math.abs(ms) < 1_000) return 'now';
  for (const [unit, size] of UNITS) {
    if (Math.abs(ms) < size) continue;
    const text = `${Math.floor(Math.abs(ms) / size)} ${unit}`;
    return ms > 0 ? `in ${text}` : `${text} ago`;
  }
  return 'now';
}

/** Describes the clock's offset from real time: `4 y ahead`, `3 h behind` or `real time`. */
export function formatOffset(ms: number): string {
  if (Math.abs(ms) < 2_000) return 'real time';
  const years = Math.abs(ms) / (365.25 * 86_400_000);
  const text = years >= 1 ? `${Math.floor(years)} y` : formatDuration(ms);
  return `${text} ${ms > 0 ? 'ahead' : 'behind'}`;
}
