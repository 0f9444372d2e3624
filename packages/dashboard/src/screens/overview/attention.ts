/**
 * Returns the deliveries to show: first those that are being retried, then those that failed for good. Each kind gets
 * at least half of the lines if it needs them.
 */
export function pickAttention<Delivery>(
  retrying: readonly Delivery[],
  failed: readonly Delivery[],
  lines: number,
): Delivery[] {
  const shownFailed = failed.slice(0, Math.max(Math.floor(lines / 2), lines - retrying.length));
  return [...retrying.slice(0, lines - shownFailed.length), ...shownFailed];
}
