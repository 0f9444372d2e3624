/** Throws `TypeError` if this is not a receiver. Without this check, each delivery would fail instead. */
export function checkReceiver(webhooks: { handle?: unknown } | undefined): void {
  // Not through option-checks.ts: the build would move that into a file that every import of the package loads.
  if (typeof webhooks?.handle !== 'function') throw new TypeError('webhooks must come from createWebhooks');
}
