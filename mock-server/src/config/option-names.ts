import { ConfigError, type ServerConfig } from './config.ts';

/** The names of all settings of a server. */
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
  onlyNetworks: true,
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

/**
 * Checks the names of options, because in a program without types, a mistyped option would be ignored silently.
 *
 * @throws {@link ConfigError} if a name is not `known`.
 */
export function checkOptionNames(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigError(`There is no option "${unknown}". Use one of ${known.join(', ')}.`);
}
