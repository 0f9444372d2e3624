import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';
import { ConfigError, DEFAULT_CONFIG, type ServerConfig } from './config.ts';
import { parsePublicUrl } from './public-url.ts';
import { readSeedFile } from './seed-file.ts';

/** What the command line asks for. */
export interface StartCommand {
  config: ServerConfig;
  /** One line of JSON when ready, and JSON lines on standard error, instead of text for people. */
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
  roles: NodeRole[];
  concurrency: number;
  endpointConcurrency: number;
  retrySchedule: readonly number[];
  retryJitter: number;
  retention?: number;
  smtp?: string;
  json?: true;
}

/**
 * Reads the command line and the environment.
 *
 * @returns `undefined` where help or the version was asked for and has been printed.
 * @throws {@link ConfigError} with one line that says what is wrong.
 */
export function parseArgv(argv: readonly string[], env: NodeJS.ProcessEnv, version: string): StartCommand | undefined {
  let command: StartCommand | undefined;
  const program = new Command('svc-mock')
    .description('Reference server of the Workspace Lifecycle Service')
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .argument('[command]', 'start starts the server, also where it is left out')
    .addOption(
      new Option('--port <port>', 'port to listen on; 0 picks a free one')
        .env('SVC_PORT')
        .default(DEFAULT_CONFIG.port)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--host <host>', 'address to listen on; another than loopback needs --admin-token')
        .env('SVC_HOST')
        .default(DEFAULT_CONFIG.host),
    )
    .addOption(
      new Option('--public-url <url>', 'base of the URLs in answers, behind a proxy')
        .env('SVC_PUBLIC_URL')
        .argParser(parsePublicUrl),
    )
    .addOption(
      new Option('--data <dir>', 'folder of the database and the master key; made if absent')
        .env('SVC_DATA')
        .default(DEFAULT_CONFIG.dataDir),
    )
    .option('--memory', 'keep nothing')
    // Checked where it is used: what commander says of a bad value would show the password in it.
    .addOption(
      new Option('--database <postgres-url>', 'PostgreSQL 15 or later instead of SQLite; any number of servers').env(
        'SVC_DATABASE_URL',
      ),
    )
    .option('--seed <file>', 'JSON or YAML, applied to an empty database (default: a built-in demo seed)')
    .option('--strict', 'https receivers only, no loopback, no demo seed, control API only with --admin-token')
    .addOption(new Option('--admin-token <token>', 'guards the control API and the metrics').env('SVC_ADMIN_TOKEN'))
    .option('--no-rate-limit', 'no rate limits, and no headers about them')
    .addOption(
      new Option('--allow-network <cidr>', 'receivers there are allowed; repeatable')
        .default([], 'none')
        .argParser((cidr, all: string[]) => [...all, cidr]),
    )
    .addOption(
      new Option(
        '--roles <list>',
        'which parts this node runs: api answers /v1, deliver makes the attempts, evaluate runs evaluations and syncs that are due',
      )
        .default([...NODE_ROLES], NODE_ROLES.join(','))
        .argParser(roles),
    )
    .option(
      '--concurrency <n>',
      'delivery attempts in flight on this node, two thirds of them for a workspace that is alone',
      wholeNumber(1, 100_000),
      DEFAULT_CONFIG.concurrency,
    )
    .option(
      '--endpoint-concurrency <n>',
      'delivery attempts in flight to one endpoint',
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
      'adds up to that much to each wait',
      wholeNumber(0, 100),
      DEFAULT_CONFIG.retryJitterPercent,
    )
    .option(
      '--retention <duration>',
      'how long deliveries are kept beyond their end, and events at least, for example 90d (default: for ever)',
      retention,
    )
    // Checked where it is used, like the database: it may hold a password.
    .addOption(
      new Option(
        '--smtp <url>',
        'mail server that also sends notifications, for example smtp://host:587?from=svc@example.com',
      ).env('SVC_SMTP'),
    )
    .option('--json', 'one line of JSON on standard output when ready, JSON lines on standard error')
    .addHelpText(
      'after',
      '\nSVC_MASTER_KEY names the master key (32 bytes, base64 or hexadecimal) instead of a file beside the data.\n' +
        'SVC_LOG_LEVEL is debug, info, warn, error or silent (default: info with --json, else error).',
    )
    .allowExcessArguments(false)
    .action((name: string | undefined, options: StartOptions) => {
      if (name !== undefined && name !== 'start')
        throw new ConfigError(inOneLine(`there is no command '${name}', only start`));
      const databaseFrom = program.getOptionValueSource('database') === 'env' ? 'SVC_DATABASE_URL' : '--database';
      if (options.memory && options.database) {
        throw new ConfigError(
          `--memory keeps nothing, and ${databaseFrom} names a PostgreSQL database, which is kept: leave one of the two out.`,
        );
      }
      command = { config: toConfig(options, env), json: options.json ?? false };
    });

  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new ConfigError(inOneLine(error.message), { cause: error });
  }
  return command;
}

/** Commander puts its advice on a line of its own; an argument that is shown may hold lines, too. */
function inOneLine(message: string): string {
  const line = message
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${line.replace(/\.$/, '')}. Try: svc-mock --help`;
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
    roles: options.roles,
    concurrency: options.concurrency,
    endpointConcurrency: options.endpointConcurrency,
    retryDelaysMs: options.retrySchedule,
    retryJitterPercent: options.retryJitter,
    retentionMs: options.retention,
    smtp: options.smtp || undefined,
    // Programs read the log; a person at a terminal is told only what is wrong.
    logFormat: options.json ? 'json' : 'text',
    logLevel: logLevelOf(env['SVC_LOG_LEVEL']) ?? (options.json ? 'info' : 'error'),
  };
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
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
