import { randomUUID } from 'node:crypto';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { createPages } from '../dashboard/pages.ts';
import { createSessions } from '../dashboard/sessions.ts';
import type { DeliveryEngine } from '../delivery/engine.ts';
import { createRedaction } from '../domain/credential.ts';
import { createPageTokens } from '../domain/page-token.ts';
import { createWrongTokens } from '../http/control/wrong-tokens.ts';
import { validation } from '../http/errors.ts';
import { createFairShare } from '../http/fair-share.ts';
import { createIgnoredWarnings } from '../http/ignored-warnings.ts';
import { createMemoryRateLimiter, createSharedRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import { createReceivedRequests } from '../http/received-requests.ts';
import type { Services } from '../http/services.ts';
import { createTurns } from '../http/turns.ts';
import type { Evaluator } from '../lifecycle/evaluator.ts';
import { createIds } from '../runtime/ids.ts';
import type { Storage } from '../storage/port.ts';
import type { IssuedCredential } from '../storage/seed/apply.ts';

/**
 * How many requests for one tenant a node handles at the same time. SQLite handles one read at a time. With PostgreSQL,
 * the requests of all tenants share ten connections. Two of the ten are reserved for checks of credentials.
 */
const FAIR_SHARE = {
  sqlite: { atOnceMax: 2, limitsWrites: false },
  postgres: { atOnceMax: 4, limitsWrites: true, totalMax: 8 },
};
/**
 * How many requests with one credential a node handles at the same time, including the check of the credential. On
 * PostgreSQL, each check needs a connection. On SQLite, this limit is higher than the limit for a tenant, because the
 * limit for a tenant does not include writes.
 */
const TURNS = { sqlite: 8, postgres: 4 };

/** The services that this file creates. */
type OfHttp =
  | 'readWork'
  | 'findOnNode'
  | 'requestIds'
  | 'pageTokens'
  | 'rateLimiter'
  | 'turns'
  | 'fairShare'
  | 'userShare'
  | 'receivedRequests'
  | 'warnIgnored'
  | 'roles'
  | 'adminToken'
  | 'redact'
  | 'wrongTokens'
  | 'exports'
  | 'sessions'
  | 'dashboard'
  | 'about'
  | 'cors';

/** The services that the rest of the server passes to the HTTP side. */
type Parts = Omit<Services, OfHttp> & {
  engine: Pick<DeliveryEngine, 'status' | 'findOnNode'>;
  evaluator: Pick<Evaluator, 'countDue'>;
  /** Reads the version of this package. */
  version(): string;
};

/**
 * Creates the services that only the HTTP side needs.
 *
 * @param credentials - Returns the credentials of the current seed that are known in plain text.
 */
export function createServices(
  config: ServerConfig,
  { engine, evaluator, version, ...parts }: Parts,
  credentials: () => readonly IssuedCredential[],
): Services {
  const { storage, clock, masterKey, changes, logger, local } = parts;
  const { adminToken, roles, cors } = config;
  const redact = createRedaction(adminToken);
  const database = config.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const services: Services = {
    ...parts,
    reset: (seed) => asBadRequest(() => parts.reset(seed)),
    async readWork() {
      const { inFlight, due, oldestDueAt } = await engine.status();
      const lagMs = oldestDueAt === undefined ? 0 : Math.max(0, clock.now() - oldestDueAt);
      return { inFlight, due, lagMs, evaluationsDue: await evaluator.countDue() };
    },
    findOnNode: (delivery) => ({ ...engine.findOnNode(delivery), attemptsMax: config.retryDelaysMs.length + 1 }),
    // The ids of requests use the real clock, so that they do not reveal the virtual time.
    requestIds: createIds({ now: Date.now }),
    pageTokens: createPageTokens(masterKey),
    rateLimiter: createRateLimiter(config, storage),
    turns: createTurns(TURNS[database]),
    fairShare: createFairShare(FAIR_SHARE[database]),
    userShare: createFairShare({ ...FAIR_SHARE[database], atOnceMax: 1 }),
    receivedRequests: createReceivedRequests({
      redact,
      keepsBodies: local,
      received: () => changes.mark({ requests: 1 }),
    }),
    warnIgnored: createIgnoredWarnings(logger),
    roles,
    adminToken,
    redact,
    wrongTokens: createWrongTokens(),
    exports: { running: 0 },
    sessions: createSessions({ storage, masterKey, adminToken }),
    dashboard: { register: (app) => createPages(services).register(app) },
    about: {
      get version() {
        return version();
      },
      database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql',
      instanceId: randomUUID(),
      credentials,
    },
    cors,
  };
  return services;
}

function createRateLimiter({ rateLimit, databaseUrl }: ServerConfig, storage: Storage): RateLimiter | undefined {
  if (!rateLimit) return undefined;
  return databaseUrl === undefined ? createMemoryRateLimiter() : createSharedRateLimiter(storage);
}

/** Reports an invalid seed to the caller of the control API as a bad request. */
async function asBadRequest<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ConfigError ? validation(error.message) : error;
  }
}
