import { RETRY_DELAYS_MS } from '@svc/contract';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';

/** Everything that the server is told at its start. */
export interface ServerConfig {
  /** 0 picks a free port. */
  port: number;
  host: string;
  /** Base of absolute URLs behind a proxy; from the listening address where it is left out. */
  publicUrl?: string | undefined;
  /** Folder of the database and the master key, or null to keep nothing. */
  dataDir: string | null;
  /** URL of a PostgreSQL database, instead of the one in the data folder; the folder then only has the master key. */
  databaseUrl?: string | undefined;
  /** The seed, parsed but not checked; the demo seed where it is left out. */
  seed?: unknown;
  /** https receivers only, no loopback, no demo seed, control API only with the admin token. */
  strict: boolean;
  adminToken?: string | undefined;
  /** 32 bytes in base64 or hexadecimal; from a file beside the data where it is left out. */
  masterKey?: string | undefined;
  rateLimit: boolean;
  /** CIDR blocks of receivers that are allowed beside public addresses. */
  allowNetworks: readonly string[];
  /** Where the virtual clock of an empty database starts, frozen; the real time by default. */
  startAt?: number | undefined;
  /** Ids, secrets, credentials and the draws of faults follow from it; the system's random numbers by default. */
  randomSeed?: number | undefined;
  /** Origins whose pages may call `/v1`; never the control API. */
  cors: readonly string[];
  /** Which parts this node runs. */
  roles: readonly NodeRole[];
  /** Attempts in flight on this node. */
  concurrency: number;
  /** Attempts in flight to one endpoint. */
  endpointConcurrency: number;
  /** Waits before the second attempt and those behind it, in milliseconds. */
  retryDelaysMs: readonly number[];
  /** How much of a wait may be added at random, in percent. */
  retryJitterPercent: number;
  /** How long deliveries and their attempts are kept beyond their end, and events at least, in milliseconds of the virtual clock; for ever where it is left out. */
  retentionMs?: number | undefined;
  /** Mail server by which notifications are also sent, `smtp://…` or `smtps://…`; none where it is left out. */
  smtp?: string | undefined;
  /** pino's levels, or `silent`. */
  logLevel: string;
  /** JSON lines for programs, or lines of text for people. */
  logFormat: 'json' | 'text';
}

/** What a server does that is told nothing. */
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

/** The server was told something that it cannot do. The message says what and how to put it right; nothing was changed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
