/**
 * Selects what needs attention: deliveries that are being retried, then deliveries that failed for good. If each kind
 * would fill more than half of the lines, each kind gets half of the lines, so that both kinds are shown.
 */
export function pickAttention<Delivery>(
  retrying: readonly Delivery[],
  failed: readonly Delivery[],
  lines: number,
): Delivery[] {
  const shownFailed = failed.slice(0, Math.max(Math.floor(lines / 2), lines - retrying.length));
  return [...retrying.slice(0, lines - shownFailed.length), ...shownFailed];
}
