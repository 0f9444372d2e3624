import type { Logger } from '../runtime/logger.ts';
import { RecentMap } from '../runtime/recent-map.ts';

export interface IgnoredInput {
  requestId: string;
  operation: string;
  credentialId: string;
  ignored: readonly string[];
}

const AGAIN_AFTER_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Warns at most once a minute about an input name of a credential. `now` is a monotonic clock in milliseconds. */
export function createIgnoredWarnings(
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): (input: IgnoredInput) => void {
  /** When the log last warned about each name. */
  const warnedAt = new RecentMap<number>(REMEMBERED_MAX);
  return ({ ignored, ...about }) => {
    const at = now();
    const due = ignored.filter((name) => {
      const key = `${about.credentialId} ${name}`;
      const isDue = at - (warnedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= AGAIN_AFTER_MS;
      if (isDue) warnedAt.set(key, at);
      return isDue;
    });
    if (due.length > 0) logger.warn(about, `ignored unknown input: ${due.join(', ')}`);
  };
}
