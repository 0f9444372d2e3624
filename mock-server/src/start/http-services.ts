import { randomUUID } from 'node:crypto';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { createPages } from '../dashboard/pages.ts';
import { createSessions } from '../dashboard/sessions.ts';
import type { DeliveryEngine } from '../delivery/engine.ts';
import { createRedaction } from '../domain/credential.ts';
import { createPageTokens } from '../domain/page-token.ts';
import { createWrongTokens } from '../http/control/wrong-tokens.ts';
import { createCredentialLimit } from '../http/credential-limit.ts';
import { validation } from '../http/errors.ts';
import { createIgnoredWarnings } from '../http/ignored-warnings.ts';
import { createMemoryRateLimiter, createSharedRateLimiter } from '../http/rate-limiter.ts';
import { createReceivedRequests } from '../http/received-requests.ts';
import type { About, Services } from '../http/services.ts';
import { createQuota } from '../http/tenant-concurrency.ts';
import type { Evaluator } from '../lifecycle/evaluator.ts';
import { createIds } from '../runtime/ids.ts';
import { findSetting } from '../storage/statements/settings.ts';

/**
 * How many requests for one tenant a node handles at the same time. SQLite's reads run on the event loop, so a tenant
 * rests after a long read. Writes mostly wait for the lock and the disk, so several can run at once. With PostgreSQL,
 * all tenants share ten connections, two of which are reserved for checks of credentials.
 */
const QUOTA = {
  sqlite: { atOnceMax: 1, rests: true },
  sqliteWrites: { atOnceMax: 4 },
  postgres: { atOnceMax: 4, totalMax: 8 },
};
/** For work that blocks the event loop for tens of milliseconds. All tenants together may use half of its time. */
const LONG_QUOTA = { atOnceMax: 1, totalMax: 1, rests: true };
/** Checking a credential already counts, because each check needs a connection on PostgreSQL. */
const REQUESTS_PER_CREDENTIAL = 4;

interface Parts
  extends Pick<
    Services,
    'storage' | 'clock' | 'masterKey' | 'changes' | 'logger' | 'local' | 'publicUrl' | 'isOwnHost' | 'reset'
  > {
  engine: Pick<DeliveryEngine, 'status' | 'findOnNode' | 'isHealthy'>;
  evaluator: Pick<Evaluator, 'countDue'>;
  settings: { isStale(): boolean };
  /** @throws if the disk of the database has failed. */
  checkDisk: (() => void) | undefined;
  version(): string;
}

export function createHttpServices(config: ServerConfig, parts: Parts, credentials: About['credentials']) {
  const { storage, clock, masterKey, changes, logger, local, engine, evaluator, version } = parts;
  const { adminToken, roles, cors } = config;
  const redact = createRedaction(adminToken);
  const database = config.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const quota = createQuota(QUOTA[database]);
  const rateLimiter = database === 'sqlite' ? createMemoryRateLimiter() : createSharedRateLimiter(storage);
  return {
    reset: (seed) =>
      parts.reset(seed).catch((error: unknown) => {
        // The caller of the control API sent the invalid seed, so respond with a validation error.
        throw error instanceof ConfigError ? validation(error.message) : error;
      }),
    async readWork() {
      const { inFlight, due, oldestDueAt } = await engine.status();
      const lagMs = oldestDueAt === undefined ? 0 : Math.max(0, clock.now() - oldestDueAt);
      return { inFlight, due, lagMs, evaluationsDue: await evaluator.countDue() };
    },
    findOnNode: (delivery) => ({ ...engine.findOnNode(delivery), retryDelaysMs: config.retryDelaysMs }),
    health: {
      async ready() {
        parts.checkDisk?.();
        await storage.read((queries) => findSetting(queries, 'clock'));
        if (parts.settings.isStale()) return 'The event catalog could not be read after the data was reset.';
        return engine.isHealthy() ? undefined : 'The delivery engine is not running.';
      },
    },
    requestIds: createIds({ now: Date.now }),
    pageTokens: createPageTokens(masterKey),
    rateLimiter: config.rateLimit ? rateLimiter : undefined,
    credentialLimit: createCredentialLimit(REQUESTS_PER_CREDENTIAL),
    quota,
    writeQuota: database === 'sqlite' ? createQuota(QUOTA.sqliteWrites) : quota,
    longReads: database === 'sqlite' ? createQuota(LONG_QUOTA) : quota,
    userQuota: createQuota({ ...QUOTA[database], atOnceMax: 1, rests: true }),
    largeBodies: createQuota(LONG_QUOTA),
    receivedRequests: createReceivedRequests(redact, local, () => changes.mark({ requests: 1 })),
    warnIgnored: createIgnoredWarnings(logger),
    roles,
    adminToken,
    redact,
    wrongTokens: createWrongTokens(),
    exports: { running: 0 },
    sessions: createSessions(storage, masterKey, adminToken),
    registerDashboard: createPages({ ...parts, adminToken, roles }),
    about: {
      get version() {
        return version();
      },
      database: database === 'sqlite' ? 'sqlite' : 'postgresql',
      instanceId: randomUUID(),
      keepsData: database !== 'sqlite' || config.dataDir !== null,
      credentials,
    },
    cors,
  } satisfies Partial<Services>;
}
