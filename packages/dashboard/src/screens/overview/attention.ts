/**
 * Returns the deliveries to show: first the deliveries that are being retried, then the deliveries that failed for
 * good. If there are enough deliveries of a kind, this kind gets at least half of the lines.
 */
export function pickAttention<Delivery>(
  retrying: readonly Delivery[],
  failed: readonly Delivery[],
  lines: number,
): Delivery[] {
  const shownFailed = failed.slice(0, Math.max(Math.floor(lines / 2), lines - retrying.length));
  return [...retrying.slice(0, lines - shownFailed.length), ...shownFailed];
}
