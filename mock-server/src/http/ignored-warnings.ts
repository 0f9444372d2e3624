import type { Logger } from '../runtime/logger.ts';

export interface IgnoredInput {
  requestId: string;
  operation: string;
  credentialId: string;
  /** The id of the workspace, or of the user if the request has no workspace. */
  tenant: string;
  ignored: readonly string[];
}

const AGAIN_AFTER_MS = 60_000;
/** The maximum number of warnings in a minute. One tenant cannot use up the total. */
const OF_TENANT_MAX = 100;
const REMEMBERED_MAX = 10_000;

/** Warns at most once a minute about an input name of a credential. `now` is a monotonic clock in milliseconds. */
export function createIgnoredWarnings(
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): (input: IgnoredInput) => void {
  const warned = new Map<string, { tenant: string; at: number }>();
  const counts = new Map<string, number>();

  function forgetOld(at: number): void {
    for (const [key, { tenant, at: then }] of warned) {
      if (at - then < AGAIN_AFTER_MS) return;
      warned.delete(key);
      const left = (counts.get(tenant) ?? 1) - 1;
      if (left > 0) counts.set(tenant, left);
      else counts.delete(tenant);
    }
  }

  function isDue(key: string, tenant: string, at: number): boolean {
    const count = counts.get(tenant) ?? 0;
    if (warned.has(key) || count >= OF_TENANT_MAX || warned.size >= REMEMBERED_MAX) return false;
    warned.set(key, { tenant, at });
    counts.set(tenant, count + 1);
    return true;
  }

  return ({ ignored, tenant, ...about }) => {
    const at = now();
    forgetOld(at);
    const due = ignored.filter((name) => isDue(`${about.credentialId} ${name}`, tenant, at));
    if (due.length > 0) logger.warn(about, `ignored unknown input: ${due.join(', ')}`);
  };
}
