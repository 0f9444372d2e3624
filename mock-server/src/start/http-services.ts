import { randomUUID } from 'node:crypto';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { createPages } from '../dashboard/pages.ts';
import type { DeliveryEngine } from '../delivery/engine.ts';
import { createRedaction } from '../domain/credential.ts';
import { createPageTokens } from '../domain/page-token.ts';
import { createWrongTokens } from '../http/control/wrong-tokens.ts';
import { validation } from '../http/errors.ts';
import { createLimits } from '../http/limits.ts';
import { createReceivedRequests } from '../http/received-requests.ts';
import type { About, Services } from '../http/services.ts';
import { createSessions } from '../http/sessions.ts';
import type { Evaluator } from '../lifecycle/evaluator.ts';
import { createIds } from '../runtime/ids.ts';
import { createThrottle } from '../runtime/throttle.ts';
import { findSetting } from '../storage/statements/settings.ts';

interface Parts
  extends Pick<
    Services,
    'storage' | 'clock' | 'masterKey' | 'changes' | 'metrics' | 'local' | 'publicUrl' | 'isOwnHost' | 'reset'
  > {
  engine: Pick<DeliveryEngine, 'status' | 'findOnNode' | 'isHealthy'>;
  evaluator: Pick<Evaluator, 'countDue'>;
  settings: { isStale(): boolean };
  /** @throws if the disk of the database has failed. */
  checkDisk: (() => void) | undefined;
  version(): string;
}

export function createHttpServices(config: ServerConfig, parts: Parts, credentials: About['credentials']) {
  const { storage, clock, masterKey, changes, local, engine, evaluator, version } = parts;
  const { adminToken, roles, cors, retryDelaysMs } = config;
  const redact = createRedaction(adminToken);
  const database = config.databaseUrl === undefined ? 'sqlite' : 'postgresql';
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
    findOnNode: (delivery) => engine.findOnNode(delivery),
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
    limits: createLimits(database, storage, config.rateLimit),
    receivedRequests: createReceivedRequests(redact, local, parts.metrics, changes),
    isWarningDue: createThrottle(60_000, 10_000),
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
      database,
      instanceId: randomUUID(),
      keepsData: database !== 'sqlite' || config.dataDir !== null,
      credentials,
    },
    cors,
    retryDelaysMs,
  } satisfies Partial<Services>;
}
