import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import { parseInstant } from '../domain/instant.ts';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';
import { ConfigError, DEFAULT_CONFIG, type ServerConfig } from './config.ts';
import { parseOrigin } from './origin.ts';
import { parsePublicUrl } from './public-url.ts';
import { readSeedFile } from './seed-file.ts';

/** The result of parsing the command line. */
export interface StartCommand {
  config: ServerConfig;
  /** If true: one line of JSON when ready, and JSON lines on standard error. Otherwise text for people. */
  json: boolean;
}

interface StartOptions {
  port: number;
  host: string;
  publicUrl?: string;
  data: string;
  memory?: true;
  database?: string;
  seed?: string;
  strict?: true;
  adminToken?: string;
  rateLimit: boolean;
  allowNetwork: string[];
  cors: string[];
  startAt?: number;
  randomSeed?: number;
  roles: NodeRole[];
  maxConnections?: number;
  concurrency: number;
  endpointConcurrency: number;
  retrySchedule: readonly number[];
  retryJitter: number;
  retention?: number;
  smtp?: string;
  json?: true;
}

/**
 * Adds the options of a start to a command.
 *
 * @param act - Called with the parsed options. Invalid options are thrown as a {@link ConfigError}.
 */
export function addStartOptions(command: Command, env: NodeJS.ProcessEnv, act: (start: StartCommand) => void): Command {
  return (
    command
      .addOption(
        new Option('--port <port>', 'port to listen on; 0 picks a free one')
          .env('SVC_PORT')
          .default(DEFAULT_CONFIG.port)
          .argParser(wholeNumber(0, 65_535)),
      )
      .addOption(
        new Option('--host <host>', 'address to listen on; any non-loopback address requires --admin-token')
          .env('SVC_HOST')
          .default(DEFAULT_CONFIG.host),
      )
      .addOption(
        new Option(
          '--public-url <url>',
          'base of the URLs in responses, for a server behind a proxy; any non-loopback URL requires --admin-token',
        )
          .env('SVC_PUBLIC_URL')
          .argParser(parsePublicUrl),
      )
      .addOption(
        new Option('--data <dir>', 'folder for the database and the master key; created if it does not exist')
          .env('SVC_DATA')
          .default(DEFAULT_CONFIG.dataDir),
      )
      .option('--memory', 'keep everything in memory, and store nothing')
      // Checked later, because commander's message about a bad value would show the password in it.
      .addOption(
        new Option(
          '--database <postgres-url>',
          'use PostgreSQL (15 or later) instead of SQLite; several servers can share it',
        ).env('SVC_DATABASE_URL'),
      )
      .option('--seed <file>', 'seed file (JSON or YAML) for an empty database (default: a built-in demo seed)')
      .addOption(
        new Option('--start-at <time>', 'freeze the clock of an empty database at this time; ISO 8601').argParser(
          instant,
        ),
      )
      .addOption(
        new Option(
          '--random-seed <n>',
          'make secrets and credentials the same in every run; with --start-at, ids too',
        ).argParser(wholeNumber(0, 2 ** 32 - 1)),
      )
      .option(
        '--strict',
        'allow only https receivers, no loopback and no demo seed; the control API requires --admin-token',
      )
      .addOption(
        new Option(
          '--admin-token <token>',
          'token that protects the control API and the metrics; at least 32 characters',
        ).env('SVC_ADMIN_TOKEN'),
      )
      .option('--no-rate-limit', 'turn off rate limits and their headers')
      .addOption(
        new Option('--allow-network <cidr>', 'allow receivers in this network; repeatable')
          .default([], 'none')
          .argParser((cidr, all: string[]) => [...all, cidr]),
      )
      .addOption(
        new Option('--cors <origin>', 'allow web pages of this origin to call /v1; repeatable')
          .env('SVC_CORS')
          .default([], 'none')
          .argParser((text, all: string[]) => [...all, ...text.split(',').map(origin)]),
      )
      .addOption(
        new Option(
          '--roles <list>',
          'which parts this node runs: api serves /v1, deliver makes attempts, evaluate runs due evaluations and syncs',
        )
          .default([...NODE_ROLES], NODE_ROLES.join(','))
          .argParser(roles),
      )
      .option(
        '--max-connections <n>',
        'maximum client connections; new ones replace idle ones (default: what the process may open, minus what attempts and the database need)',
        wholeNumber(1, 1_000_000),
      )
      .option(
        '--concurrency <n>',
        'maximum delivery attempts in flight on this node; a single busy workspace gets two thirds of them',
        wholeNumber(1, 100_000),
        DEFAULT_CONFIG.concurrency,
      )
      .option(
        '--endpoint-concurrency <n>',
        'maximum delivery attempts in flight to one endpoint',
        wholeNumber(1, 10_000),
        DEFAULT_CONFIG.endpointConcurrency,
      )
      .addOption(
        new Option('--retry-schedule <list>', 'waits between attempts')
          .default(DEFAULT_CONFIG.retryDelaysMs, DEFAULT_CONFIG.retryDelaysMs.map(shortDuration).join(','))
          .argParser(durations),
      )
      .option(
        '--retry-jitter <percent>',
        'add up to this percentage to each wait, at random',
        wholeNumber(0, 100),
        DEFAULT_CONFIG.retryJitterPercent,
      )
      .option(
        '--retention <duration>',
        'how long to keep deliveries after they end, such as 90d; events are kept at least as long (default: forever)',
        retention,
      )
      // Checked later, like the database, because it may contain a password.
      .addOption(
        new Option(
          '--smtp <url>',
          'mail server for sending notifications by email, such as smtp://host:587?from=svc@example.com',
        ).env('SVC_SMTP'),
      )
      .option('--json', 'print one line of JSON when ready; the log on standard error is JSON lines')
      .addHelpText(
        'after',
        '\nSVC_MASTER_KEY is the master key (32 bytes, base64 or hexadecimal). It replaces the key file in the data folder.\n' +
          'SVC_LOG_LEVEL is debug, info, warn, error or silent (default: info with --json, else warn).\n' +
          '\nExamples:\n  svc-mock start\n  svc-mock start --memory --port 0 --json\n',
      )
      .action(() => {
        const options = command.opts<StartOptions>();
        const databaseFrom = command.getOptionValueSource('database') === 'env' ? 'SVC_DATABASE_URL' : '--database';
        if (options.memory && options.database) {
          throw new ConfigError(
            `--memory stores nothing, and ${databaseFrom} names a PostgreSQL database. Remove one of them.`,
          );
        }
        act({ config: toConfig(options, env), json: options.json ?? false });
      })
  );
}

function toConfig(options: StartOptions, env: NodeJS.ProcessEnv): ServerConfig {
  return {
    port: options.port,
    host: options.host,
    publicUrl: options.publicUrl,
    dataDir: options.memory ? null : options.data,
    databaseUrl: options.database || undefined,
    seed: options.seed === undefined ? undefined : readSeedFile(options.seed),
    strict: options.strict ?? false,
    adminToken: options.adminToken,
    masterKey: env['SVC_MASTER_KEY'],
    rateLimit: options.rateLimit,
    allowNetworks: options.allowNetwork,
    cors: options.cors,
    startAt: options.startAt,
    randomSeed: options.randomSeed,
    roles: options.roles,
    maxConnections: options.maxConnections,
    concurrency: options.concurrency,
    endpointConcurrency: options.endpointConcurrency,
    retryDelaysMs: options.retrySchedule,
    retryJitterPercent: options.retryJitter,
    retentionMs: options.retention,
    smtp: options.smtp || undefined,
    // Programs read the whole log. A person at a terminal wants to see what needs attention.
    logFormat: options.json ? 'json' : 'text',
    logLevel: logLevelOf(env['SVC_LOG_LEVEL']) ?? (options.json ? 'info' : 'warn'),
  };
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
  };
}

/** Commander names the option, or the variable that the value is from. */
function origin(text: string): string {
  try {
    return parseOrigin(text.trim());
  } catch (error) {
    throw new InvalidArgumentError((error as ConfigError).message);
  }
}

function instant(text: string): number {
  const at = parseInstant(text);
  if (at !== undefined) return at;
  throw new InvalidArgumentError('It must be ISO 8601 with Z or an offset, such as 2031-03-01T00:00:00Z.');
}

function shortDuration(ms: number): string {
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000}h` : `${ms / 60_000}m`;
}

function durations(text: string): number[] {
  return text.split(',').map((part) => {
    const ms = parseDuration(part.trim());
    if (ms === undefined) throw new InvalidArgumentError('It must be a list of durations, such as 5m,30m,PT2H.');
    return ms;
  });
}

function roles(text: string): NodeRole[] {
  const named = text.split(',').map((part) => part.trim());
  const chosen = NODE_ROLES.filter((role) => named.includes(role));
  if (chosen.length === new Set(named).size) return chosen;
  throw new InvalidArgumentError(`It must be a list of ${NODE_ROLES.join(', ')}.`);
}

function retention(text: string): number {
  const ms = parseDuration(text);
  if (ms) return ms;
  throw new InvalidArgumentError('It must be a duration longer than zero, such as 12h, 90d or P30D.');
}

function logLevelOf(text: string | undefined): string | undefined {
  if (text === undefined || ['debug', 'info', 'warn', 'error', 'silent'].includes(text)) return text;
  throw new ConfigError('SVC_LOG_LEVEL must be debug, info, warn, error or silent.');
}
