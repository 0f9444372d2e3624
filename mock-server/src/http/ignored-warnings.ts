import type { Logger } from '../runtime/logger.ts';
import { RecentMap } from '../runtime/recent-map.ts';

export interface IgnoredInput {
  requestId: string;
  operation: string;
  credentialId: string;
  /** The id of the workspace, or of the user if the request has no workspace. */
  tenant: string;
  ignored: readonly string[];
}

const AGAIN_AFTER_MS = 60_000;
/** The maximum number of warnings in a minute. */
const OF_TENANT_MAX = 100;
const TENANTS_MAX = 1_000;

/** Warns at most once a minute about an input name of a credential. `now` is a monotonic clock in milliseconds. */
export function createIgnoredWarnings(
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): (input: IgnoredInput) => void {
  /** When each tenant was warned about a name. */
  const warnings = new RecentMap<Map<string, number>>(TENANTS_MAX);
  return ({ ignored, tenant, ...about }) => {
    const at = now();
    const warned = warnings.get(tenant) ?? new Map<string, number>();
    warnings.set(tenant, warned);
    for (const [key, then] of warned) if (at - then >= AGAIN_AFTER_MS) warned.delete(key);
    const due = ignored.filter((name) => {
      const key = `${about.credentialId} ${name}`;
      const isDue = !warned.has(key) && warned.size < OF_TENANT_MAX;
      if (isDue) warned.set(key, at);
      return isDue;
    });
    if (due.length > 0) logger.warn(about, `ignored unknown input: ${due.join(', ')}`);
  };
}
