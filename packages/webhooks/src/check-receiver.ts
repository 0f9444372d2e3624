/**
 * Throws `TypeError` if the value is not a receiver. Without this check, the setup would succeed, but each delivery
 * would fail.
 */
export function checkReceiver(webhooks: { handle?: unknown } | undefined): void {
  // Do not import option-checks.ts here: the build would move option-checks.ts into a file that every import of the
  // package loads.
  if (typeof webhooks?.handle !== 'function') throw new TypeError('webhooks must be a receiver from createWebhooks');
}
