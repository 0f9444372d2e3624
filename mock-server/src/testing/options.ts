import { ConfigError, type ServerConfig } from '../config/config.ts';
import { checkOptionNames } from '../config/option-names.ts';
import { parseInstant } from '../domain/instant.ts';
import { demoSeed } from '../storage/seed/demo.ts';

/** Options for a mock service. Each has a default. */
export interface MockServiceOptions {
  /** The tenants to start with. Default: the demo tenants without their profiles. */
  seed?: object | undefined;
  /** The URL of a PostgreSQL database. Default: a database in memory. */
  database?: string | undefined;
  /** Whether credentials have a rate limit. Default: `false`. */
  rateLimit?: boolean | undefined;
  /** The frozen start time of the virtual clock. Default: the real time, running. */
  startAt?: Date | string | undefined;
  /**
   * Makes ids, secrets and credentials the same in every run. Ids contain the time, so `startAt` is then
   * 2030-01-01T00:00:00Z unless you set it.
   */
  randomSeed?: number | undefined;
  /**
   * Where deliveries may go in addition to loopback: everywhere (`true`), or to literal addresses in these networks,
   * such as `['10.0.0.0/8']`. Default: nowhere. Any other endpoint is rejected with a 400, so that a test never reaches
   * a real receiver.
   */
  allowNetwork?: true | readonly string[] | undefined;
  /** Origins whose pages may call `/v1`. */
  cors?: string | readonly string[] | undefined;
  /** `true` logs lines of text to standard error. A level logs only lines of that level or above. Default: `false`. */
  log?: boolean | 'debug' | 'info' | 'warn' | 'error' | undefined;
}

/** A database that outlives the service needs a master key that also does. This key is public and protects nothing. */
const TEST_MASTER_KEY = Buffer.from('svc-mock testing: no secret here').toString('base64');

const LOG: readonly unknown[] = [true, false, 'debug', 'info', 'warn', 'error'];

/** The names of the options that every mock service has. */
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

/**
 * Translates the options into the server's configuration.
 *
 * @param own - Names of further options that the caller reads itself.
 * @throws {@link ConfigError} if an option is unknown or invalid.
 */
export function toConfig(options: MockServiceOptions, own: readonly string[]): Partial<ServerConfig> {
  checkOptionNames(options, [...own, ...Object.keys(OPTIONS)]);
  const { seed, database, rateLimit, startAt, randomSeed, allowNetwork, cors, log } = options;
  if (rateLimit !== undefined && typeof rateLimit !== 'boolean') {
    throw new ConfigError(`rateLimit must be true or false, not ${JSON.stringify(rateLimit)}.`);
  }
  if (log !== undefined && !LOG.includes(log)) {
    throw new ConfigError(`log must be true, false, debug, info, warn or error, not ${JSON.stringify(log)}.`);
  }
  if (randomSeed !== undefined) checkWhole('randomSeed', randomSeed, 2 ** 32 - 1);
  return {
    port: 0,
    dataDir: null,
    // Without the demo's profiles, so that a test that moves the clock past midnight sees only its own events.
    seed: seed ?? demoSeed,
    ...(database !== undefined && {
      databaseUrl: database,
      masterKey: process.env['SVC_MASTER_KEY'] ?? TEST_MASTER_KEY,
    }),
    rateLimit: rateLimit ?? false,
    startAt: startAt === undefined ? repeatableStart(randomSeed) : toInstant(startAt),
    randomSeed,
    ...networksOf(allowNetwork),
    cors: cors === undefined ? [] : [cors].flat(),
    logFormat: 'text',
    logLevel: typeof log === 'string' ? log : log ? 'info' : 'silent',
  };
}

/** The networks that receivers may be in. The server checks how they are written. */
function networksOf(allowNetwork: true | readonly string[] = []): Partial<ServerConfig> {
  if (allowNetwork === true) return {};
  if (Array.isArray(allowNetwork) && allowNetwork.every((network) => typeof network === 'string')) {
    return { allowNetworks: allowNetwork, onlyNetworks: allowNetwork };
  }
  throw new ConfigError(
    `allowNetwork must be true or a list of networks such as ["10.0.0.0/8"], not ${JSON.stringify(allowNetwork)}.`,
  );
}

/** @throws {@link ConfigError} if it is not an integer from 0 to `max`. */
export function checkWhole(name: string, value: unknown, max: number): void {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max) return;
  throw new ConfigError(`${name} must be an integer from 0 to ${max}, not ${JSON.stringify(value)}.`);
}

const repeatableStart = (randomSeed: number | undefined) =>
  randomSeed === undefined ? undefined : Date.UTC(2030, 0, 1);

function toInstant(startAt: Date | string): number {
  const at = startAt instanceof Date ? startAt.getTime() : parseInstant(String(startAt));
  if (at !== undefined && !Number.isNaN(at)) return at;
  throw new ConfigError(`startAt must be a Date or an ISO 8601 string with Z or an offset, not "${startAt}".`);
}
