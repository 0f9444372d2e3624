import { type Command, Option } from 'commander';
import { NODE_ROLES, type NodeRole } from '../domain/node-role.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { durations, instant, origin, retention, roles, shortDuration, wholeNumber } from './option-values.ts';
import { parsePublicUrl } from './urls.ts';

/** The parsed options of `start`. */
export interface StartOptions {
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

/** The options for the server's address and data. */
export function addDataOptions(command: Command): void {
  command
    .addOption(
      new Option('--port <port>', 'port to listen on; 0 picks a free port')
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
    .option('--memory', 'keep all data in memory, and store nothing on disk')
    // Checked later, in `argv.ts`, because commander's message about a bad value would show the password in it.
    .addOption(
      new Option(
        '--database <postgres-url>',
        'use PostgreSQL (15 or later) instead of SQLite; several servers can share it',
      ).env('SVC_DATABASE_URL'),
    )
    .option('--seed <file>', 'seed file (JSON or YAML) for an empty database (default: a built-in demo seed)')
    .option('--start-at <time>', 'freeze the clock of an empty database at this time; ISO 8601', instant)
    .option(
      '--random-seed <n>',
      'make secrets and credentials the same in every run; with --start-at, ids too',
      wholeNumber(0, 2 ** 32 - 1),
    );
}

/** The options for who may call the server, and where deliveries may go. */
export function addAccessOptions(command: Command): void {
  command
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
      new Option('--cors <origin>', 'allow web pages from this origin to call /v1; repeatable')
        .env('SVC_CORS')
        .default([], 'none')
        .argParser((text, all: string[]) => [...all, ...text.split(',').map(origin)]),
    )
    .addOption(
      new Option(
        '--roles <list>',
        'parts that this server runs: api serves /v1, deliver makes attempts, evaluate runs due evaluations and syncs',
      )
        .default([...NODE_ROLES], NODE_ROLES.join(','))
        .argParser(roles),
    )
    .option(
      '--max-connections <n>',
      'maximum client connections; new connections replace idle ones (default: the number of files that the process may open, minus the files for attempts and the database)',
      wholeNumber(1, 1_000_000),
    );
}

/** The options for deliveries and notifications. */
export function addDeliveryOptions(command: Command): void {
  command
    .option(
      '--concurrency <n>',
      'maximum delivery attempts in flight on this server; if only one workspace is busy, it uses at most two thirds',
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
      'lengthen each wait at random, by up to this percentage',
      wholeNumber(0, 100),
      DEFAULT_CONFIG.retryJitterPercent,
    )
    .option(
      '--retention <duration>',
      'how long to keep deliveries after they end, such as 90d; events are kept at least as long (default: forever)',
      retention,
    )
    // Checked in `argv.ts`, like the database, because it may contain a password.
    .addOption(
      new Option(
        '--smtp <url>',
        'mail server for sending notifications by email, such as smtp://host:587?from=svc@example.com',
      ).env('SVC_SMTP'),
    );
}
