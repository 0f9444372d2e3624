import { RETRY_DELAYS_MS } from '@svc/contract';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';

/** All settings of a server. */
export interface ServerConfig {
  /** The port to listen on. 0 picks a free port. */
  port: number;
  host: string;
  /**
   * The base of absolute URLs in responses, for a server behind a proxy. Default: the address that the server listens
   * on.
   */
  publicUrl?: string | undefined;
  /** The folder for the database and the master key, or null to store nothing on disk. */
  dataDir: string | null;
  /**
   * The URL of a PostgreSQL database to use instead of SQLite. With PostgreSQL, the data folder contains only the
   * master key.
   */
  databaseUrl?: string | undefined;
  /** The seed, parsed from its file but not checked yet. Default: the demo seed, or an empty seed if `strict`. */
  seed?: unknown;
  /**
   * Whether to use the strict profile, which requires https receivers and, for the control API, an admin token. The
   * profile forbids the demo seed and receivers on loopback.
   */
  strict: boolean;
  adminToken?: string | undefined;
  /** The master key: 32 bytes in base64 or hexadecimal. Default: the key in the data folder's key file. */
  masterKey?: string | undefined;
  rateLimit: boolean;
  /** CIDR blocks of private addresses that receivers may use, in addition to public addresses. */
  allowNetworks: readonly string[];
  /** Whether the server may connect to public addresses. For tests. Default: `true`. */
  allowPublic?: boolean | undefined;
  /**
   * If the database is empty, the virtual clock is frozen at this time. Default: the start time in the seed. If the
   * seed has no start time, the clock starts at the real time and runs.
   */
  startAt?: number | undefined;
  /**
   * Servers with the same `randomSeed` draw the same random numbers for faults. If the clocks of these servers are also
   * frozen at the same start time, the servers generate the same ids, secrets and credentials. Default: the system's
   * random numbers.
   */
  randomSeed?: number | undefined;
  /** The origins of web pages that may call `/v1`. Pages from these origins still cannot call the control API. */
  cors: readonly string[];
  /** The parts of the service that this node runs. */
  roles: readonly NodeRole[];
  /**
   * The maximum number of client connections. Default: the number of files that the process may open, minus the files
   * that attempts and the database need.
   */
  maxConnections?: number | undefined;
  /** The maximum number of attempts in flight on this node. */
  concurrency: number;
  /** The maximum number of attempts in flight to one endpoint. */
  endpointConcurrency: number;
  /** The delay before each attempt except the first, in milliseconds. */
  retryDelaysMs: readonly number[];
  /** The maximum random time that is added to a delay, as a percentage of the delay. */
  retryJitterPercent: number;
  /**
   * How long to keep a delivery and its attempts after the delivery has ended, in milliseconds of the virtual clock.
   * Events are kept at least as long as deliveries. Default: forever.
   */
  retentionMs?: number | undefined;
  /** The URL of the mail server for notifications, `smtp://…` or `smtps://…`. Default: no emails. */
  smtp?: string | undefined;
  /** The lowest level to log: one of pino's levels, or `silent`. */
  logLevel: string;
  /** The format of the log: JSON lines for programs, or lines of text for people. */
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

/**
 * Thrown if a setting of the server is invalid. The message says what is wrong and how to fix the setting. The server
 * throws the error before it changes anything.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const SERVER_OPTIONS = Object.keys({
  port: true,
  host: true,
  publicUrl: true,
  dataDir: true,
  databaseUrl: true,
  seed: true,
  strict: true,
  adminToken: true,
  masterKey: true,
  rateLimit: true,
  allowNetworks: true,
  allowPublic: true,
  startAt: true,
  randomSeed: true,
  cors: true,
  roles: true,
  maxConnections: true,
  concurrency: true,
  endpointConcurrency: true,
  retryDelaysMs: true,
  retryJitterPercent: true,
  retentionMs: true,
  smtp: true,
  logLevel: true,
  logFormat: true,
} satisfies Record<keyof ServerConfig, true>);

/** Rejects unknown options, such as misspelled names, which JavaScript would ignore. */
export function checkOptionNames(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigError(`There is no option "${unknown}". Use one of ${known.join(', ')}.`);
}
