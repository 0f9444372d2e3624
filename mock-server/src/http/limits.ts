import { createQuota } from '../runtime/quota.ts';
import type { Storage } from '../storage/port.ts';
import { createCredentialLimit } from './credential-limit.ts';
import { createMemoryRateLimiter, createSharedRateLimiter } from './rate-limiter.ts';

/**
 * How many requests of one tenant a node handles at the same time. Reads from SQLite run on the event loop, so after a
 * long read, the tenant's next request waits. Writes mostly wait for the lock and the disk, so several writes can run
 * at once. With PostgreSQL, all tenants share ten connections, two of which are reserved for checks of credentials.
 */
const QUOTA = {
  sqlite: { atOnceMax: 1, rests: true },
  sqliteWrites: { atOnceMax: 4 },
  postgresql: { atOnceMax: 4, totalMax: 8 },
};
/** Work that blocks the event loop for tens of milliseconds gets at most half of the time, for all tenants together. */
const LONG_QUOTA = { atOnceMax: 1, totalMax: 1, rests: true };
/** A request counts even while its credential is checked, because on PostgreSQL each check needs a connection. */
const REQUESTS_PER_CREDENTIAL = 4;

/** Creates the limits for the requests of a credential, a workspace or a user. */
export function createLimits(database: 'sqlite' | 'postgresql', storage: Pick<Storage, 'read'>, hasRateLimit: boolean) {
  const isEmbedded = database === 'sqlite';
  const reads = createQuota(QUOTA[database]);
  const rate = isEmbedded ? createMemoryRateLimiter() : createSharedRateLimiter(storage);
  return {
    rate: hasRateLimit ? rate : undefined,
    credentials: createCredentialLimit(REQUESTS_PER_CREDENTIAL),
    reads,
    writes: isEmbedded ? createQuota(QUOTA.sqliteWrites) : reads,
    longReads: isEmbedded ? createQuota(LONG_QUOTA) : reads,
    /** Limits a user's requests that name no workspace, because such a request may list thousands of workspaces. */
    users: createQuota({ ...QUOTA[database], atOnceMax: 1, rests: true }),
    /** Limits how long the event loop parses large bodies. */
    largeBodies: createQuota(LONG_QUOTA),
  };
}
