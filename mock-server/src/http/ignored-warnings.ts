import type { Logger } from '../runtime/logger.ts';

/** Ignored input of one request. */
export interface IgnoredInput {
  requestId: string;
  operation: string;
  credentialId: string;
  ignored: readonly string[];
}

const AGAIN_AFTER_MS = 60_000;
/** The maximum number of warnings in a minute. A client can send any number of unknown names. */
const REMEMBERED_MAX = 1_000;

/**
 * Warns about ignored input, once per credential and name in a minute.
 *
 * @param now - A monotonic clock, in milliseconds.
 */
export function createIgnoredWarnings(
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): (input: IgnoredInput) => void {
  /** When a warning was last written. Oldest first. */
  const warnedAt = new Map<string, number>();

  function isDue(key: string, at: number): boolean {
    for (const [oldest, then] of warnedAt) {
      if (at - then < AGAIN_AFTER_MS) break;
      warnedAt.delete(oldest);
    }
    if (warnedAt.has(key) || warnedAt.size >= REMEMBERED_MAX) return false;
    warnedAt.set(key, at);
    return true;
  }

  return ({ ignored, ...about }) => {
    const at = now();
    const due = ignored.filter((name) => isDue(`${about.credentialId} ${name}`, at));
    if (due.length > 0) logger.warn(about, `ignored unknown input: ${due.join(', ')}`);
  };
}
