import { ConfigError, type ServerConfig } from '../config/config.ts';
import { parseInstant } from '../domain/instant.ts';
import { demoSeed } from '../storage/seed/demo.ts';

/** What a mock service may be told at its start. Every option has a default. */
export interface MockServiceOptions {
  /** The tenants to start with; the demo tenants by default, without their profiles. */
  seed?: object | undefined;
  /** The URL of a PostgreSQL database to use instead of one in memory. */
  database?: string | undefined;
  /** Whether credentials have a rate limit; `false` by default. */
  rateLimit?: boolean | undefined;
  /** Where the virtual clock starts, frozen; the real time by default, running. */
  startAt?: Date | string | undefined;
  /**
   * Ids, secrets and credentials follow from it: they are the same in every run. Ids contain the time, so `startAt` is
   * 2030-01-01T00:00:00Z unless you set it.
   */
  randomSeed?: number | undefined;
  /** Origins whose pages may call `/v1`. */
  cors?: string | readonly string[] | undefined;
  /** `true` logs lines of text to standard error, or only those from a level upwards; `false` by default. */
  log?: boolean | 'debug' | 'info' | 'warn' | 'error' | undefined;
}

/** A database that outlives the service needs a master key that does, too. This one is public: it protects nothing. */
const TEST_MASTER_KEY = Buffer.from('svc-mock testing: no secret here').toString('base64');

/** The names of the options that every mock service has. */
const OPTIONS = {
  seed: true,
  database: true,
  rateLimit: true,
  startAt: true,
  randomSeed: true,
  cors: true,
  log: true,
} satisfies Record<keyof MockServiceOptions, true>;

/**
 * The server's configuration behind the options.
 *
 * @param own - Names of options that the caller has besides, and reads itself.
 * @throws {@link ConfigError} if an option is unknown or cannot be used.
 */
export function toConfig(options: MockServiceOptions, own: readonly string[]): Partial<ServerConfig> {
  const known = [...own, ...Object.keys(OPTIONS)];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigError(`There is no option "${unknown}". Use one of ${known.join(', ')}.`);
  const { seed, database, rateLimit, startAt, randomSeed, cors, log } = options;
  if (randomSeed !== undefined) checkWhole('randomSeed', randomSeed, 2 ** 32 - 1);
  return {
    port: 0,
    dataDir: null,
    // Without the demo's profiles, so that a test that moves the clock over midnight has no events but its own.
    seed: seed ?? demoSeed,
    ...(database !== undefined && {
      databaseUrl: database,
      masterKey: process.env['SVC_MASTER_KEY'] ?? TEST_MASTER_KEY,
    }),
    rateLimit: rateLimit ?? false,
    startAt: startAt === undefined ? repeatableStart(randomSeed) : toInstant(startAt),
    randomSeed,
    cors: cors === undefined ? [] : [cors].flat(),
    logFormat: 'text',
    logLevel: typeof log === 'string' ? log : log ? 'info' : 'silent',
  };
}

/** @throws {@link ConfigError} if it is not a whole number from 0 to `max`. */
export function checkWhole(name: string, value: unknown, max: number): void {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max) return;
  throw new ConfigError(`${name} must be a whole number from 0 to ${max}, not ${JSON.stringify(value)}.`);
}

const repeatableStart = (randomSeed: number | undefined) =>
  randomSeed === undefined ? undefined : Date.UTC(2030, 0, 1);

function toInstant(startAt: Date | string): number {
  const at = typeof startAt === 'string' ? parseInstant(startAt) : startAt.getTime();
  if (at !== undefined && !Number.isNaN(at)) return at;
  throw new ConfigError(`startAt must be a Date, or ISO 8601 with Z or an offset, not "${startAt}".`);
}
