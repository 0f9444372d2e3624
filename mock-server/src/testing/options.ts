import { ConfigError, checkOptionNames, type ServerConfig } from '../config/config.ts';
import { readSeedFile } from '../config/seed-file.ts';
import { parseInstant } from '../domain/instant.ts';
import { demoSeed } from '../storage/seed/demo.ts';

/** Options for a mock service. Every option has a default. */
export interface MockServiceOptions {
  /** The tenants to start with: a seed, or the path of its file. Default: the demo tenants without their profiles. */
  seed?: object | string | undefined;
  /** The URL of a PostgreSQL database. Default: a database in memory. */
  database?: string | undefined;
  /** Whether credentials have a rate limit. Default: `false`. */
  rateLimit?: boolean | undefined;
  /**
   * Starts the virtual clock frozen at this time. Default: the start time in the seed. If the seed has no start time,
   * the clock starts at the real time and runs.
   */
  startAt?: Date | string | undefined;
  /**
   * Makes ids, secrets and credentials the same in every run. Because ids contain the time, this option changes the
   * default of `startAt` to 2030-01-01T00:00:00Z.
   */
  randomSeed?: number | undefined;
  /**
   * The receivers that may get deliveries, in addition to loopback. `true` allows all public receivers. A list of
   * networks, such as `['10.0.0.0/8']`, allows receivers with an IP address in these networks. Default: only loopback.
   * Attempts to any other receiver fail with `Blocked address`, so a test never reaches a real receiver by mistake.
   */
  allowNetwork?: true | readonly string[] | undefined;
  /** The origins of web pages that may call `/v1`. Default: none. */
  cors?: string | readonly string[] | undefined;
  /**
   * With `true`, the service logs lines of text to standard error. With a level, the service logs only lines at that
   * level or above. Default: `false`.
   */
  log?: boolean | 'debug' | 'info' | 'warn' | 'error' | undefined;
}

/** The key is always the same, because a database that remains after a run needs the same key in the next run. */
const TEST_MASTER_KEY = Buffer.from('svc-mock testing: no secret here').toString('base64');

const LOG: readonly unknown[] = [true, false, 'debug', 'info', 'warn', 'error'];

const OPTIONS = {
  seed: true,
  database: true,
  rateLimit: true,
  startAt: true,
  randomSeed: true,
  allowNetwork: true,
  cors: true,
  log: true,
} satisfies Record<keyof MockServiceOptions, true>;

/** @param own - The names of the options that the caller reads itself. */
export function toConfig(options: MockServiceOptions, own: readonly string[]): Partial<ServerConfig> {
  checkOptionNames(options, [...own, ...Object.keys(OPTIONS)]);
  const { seed, database, rateLimit, randomSeed, allowNetwork, cors, log } = options;
  if (rateLimit !== undefined && typeof rateLimit !== 'boolean') {
    throw new ConfigError(`rateLimit must be true or false, not ${JSON.stringify(rateLimit)}.`);
  }
  if (log !== undefined && !LOG.includes(log)) {
    throw new ConfigError(
      `log must be true, false, debug, info, warn or error, not ${JSON.stringify(log) ?? `a ${typeof log}`}.`,
    );
  }
  if (randomSeed !== undefined) checkWhole('randomSeed', randomSeed, 2 ** 32 - 1);
  return {
    port: 0,
    dataDir: null,
    // With the demo profiles, moving the clock past midnight would create unexpected events.
    seed: typeof seed === 'string' ? readSeedFile(seed) : (seed ?? demoSeed),
    ...(database !== undefined && {
      databaseUrl: database,
      masterKey: process.env['SVC_MASTER_KEY'] ?? TEST_MASTER_KEY,
    }),
    rateLimit: rateLimit ?? false,
    startAt: startOf(options),
    randomSeed,
    ...networksOf(allowNetwork),
    cors: cors === undefined ? [] : [cors].flat(),
    logFormat: 'text',
    logLevel: typeof log === 'string' ? log : log ? 'info' : 'silent',
  };
}

/** The server checks the syntax of the networks. */
function networksOf(allowNetwork: true | readonly string[] = []): Partial<ServerConfig> {
  if (allowNetwork === true) return {};
  const isList = Array.isArray(allowNetwork) && allowNetwork.every((network) => typeof network === 'string');
  if (isList) return { allowNetworks: allowNetwork, allowPublic: false };
  throw new ConfigError(
    `allowNetwork must be true or a list of networks such as ["10.0.0.0/8"], not ${JSON.stringify(allowNetwork)}.`,
  );
}

export function checkWhole(name: string, value: unknown, max: number): void {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max) return;
  throw new ConfigError(`${name} must be an integer between 0 and ${max}, not ${JSON.stringify(value)}.`);
}

function startOf({ startAt, randomSeed }: MockServiceOptions): number | undefined {
  if (startAt === undefined) return randomSeed === undefined ? undefined : Date.UTC(2030, 0, 1);
  const at = parseInstant(startAt instanceof Date ? (startAt.toJSON() ?? '') : String(startAt));
  if (at !== undefined) return at;
  throw new ConfigError(
    `startAt must be a Date or an ISO 8601 string with Z or an offset, in the years 1 to 9998, not "${startAt}".`,
  );
}
