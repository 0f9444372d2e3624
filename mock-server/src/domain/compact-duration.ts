const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/**
 * Formats a duration in the form that `svc-mock clock advance` accepts, in the largest unit that results in an integer:
 * `30m`, `12h`, `91s`. Rounds up to whole seconds.
 */
export function compactDuration(ms: number): string {
  const rounded = Math.max(1, Math.ceil(ms / 1_000)) * 1_000;
  const [name, unit] = UNITS.find(([, size]) => rounded % size === 0) ?? ['s', 1_000];
  return `${rounded / unit}${name}`;
}
