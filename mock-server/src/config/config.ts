import { RETRY_DELAYS_MS } from '@svc/contract';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';

/** All settings of a server. */
export interface ServerConfig {
  /** 0 picks a free port. */
  port: number;
  host: string;
  /** Base of absolute URLs behind a proxy. Default: the listening address. */
  publicUrl?: string | undefined;
  /** Folder of the database and the master key, or null to keep nothing. */
  dataDir: string | null;
  /** URL of a PostgreSQL database to use instead of SQLite. The data folder then contains only the master key. */
  databaseUrl?: string | undefined;
  /** The seed, parsed but not checked. Default: the demo seed. */
  seed?: unknown;
  /** Requires https receivers and an admin token for the control API. Forbids loopback and the demo seed. */
  strict: boolean;
  adminToken?: string | undefined;
  /** 32 bytes in base64 or hexadecimal. Default: read from a file next to the data. */
  masterKey?: string | undefined;
  rateLimit: boolean;
  /** CIDR blocks that receivers may use in addition to public addresses. */
  allowNetworks: readonly string[];
  /** In tests: the only CIDR blocks, in addition to loopback, that receivers may be in. Default: any public host. */
  onlyNetworks?: readonly string[] | undefined;
  /** The frozen start time of the virtual clock for an empty database. Default: the real time, running. */
  startAt?: number | undefined;
  /**
   * Makes ids, secrets, credentials and the random choices of faults repeatable. Default: the system's random numbers.
   */
  randomSeed?: number | undefined;
  /** Origins whose pages may call `/v1`. Such pages can never call the control API. */
  cors: readonly string[];
  /** The parts that this node runs. */
  roles: readonly NodeRole[];
  /**
   * The maximum number of client connections. Default: what the process may open, minus what attempts and the database
   * need.
   */
  maxConnections?: number | undefined;
  /** The maximum number of attempts in flight on this node. */
  concurrency: number;
  /** The maximum number of attempts in flight to one endpoint. */
  endpointConcurrency: number;
  /** The delays before the second and each later attempt, in milliseconds. */
  retryDelaysMs: readonly number[];
  /** The largest random addition to a delay, in percent of the delay. */
  retryJitterPercent: number;
  /**
   * How long to keep deliveries and their attempts after their end, in milliseconds of the virtual clock. Events are
   * kept at least as long. Default: forever.
   */
  retentionMs?: number | undefined;
  /** Mail server for notifications, `smtp://…` or `smtps://…`. Default: none. */
  smtp?: string | undefined;
  /** pino's levels, or `silent`. */
  logLevel: string;
  /** JSON lines for programs, or lines of text for people. */
  logFormat: 'json' | 'text';
}

/** The default settings. */
export const DEFAULT_CONFIG = {
  port: 4010,
  host: '127.0.0.1',
  dataDir: '.svc-mock',
  strict: false,
  rateLimit: true,
  allowNetworks: [],
  cors: [],
  roles: NODE_ROLES,
  concurrency: 768,
  endpointConcurrency: 16,
  retryDelaysMs: RETRY_DELAYS_MS,
  retryJitterPercent: 0,
  logLevel: 'info',
  logFormat: 'json',
} as const satisfies ServerConfig;

/** A setting of the server is invalid. The message says what is wrong and how to fix it. Nothing was changed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
