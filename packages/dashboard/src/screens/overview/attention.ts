/**
 * Selects what needs attention: deliveries that are being retried, then those that failed for good. If each kind would
 * fill more than half of the lines, each kind gets half of them.
 */
export function pickAttention<Delivery>(
  retrying: readonly Delivery[],
  failed: readonly Delivery[],
  lines: number,
): Delivery[] {
  const shownFailed = failed.slice(0, Math.max(Math.floor(lines / 2), lines - retrying.length));
  return [...retrying.slice(0, lines - shownFailed.length), ...shownFailed];
}
