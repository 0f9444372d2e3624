import { Option } from 'commander';
import { compactDuration } from '../domain/duration.ts';
import { NODE_ROLES } from '../domain/node-role.ts';
import { DEFAULT_CONFIG, type ServerConfig } from './config.ts';
import { durations, folder, instant, origin, partsOf, retention, roles, wholeNumber } from './option-values.ts';
import { parsePublicUrl } from './urls.ts';

/** The options, keyed by the name of the setting. `memory` and `json` each change several settings. */
export const START_OPTIONS = {
  port: new Option('--port <port>', 'port to listen on; 0 picks a free port')
    .env('SVC_PORT')
    .default(DEFAULT_CONFIG.port)
    .argParser(wholeNumber(0, 65_535)),
  host: new Option('--host <host>', 'address to listen on; any non-loopback address requires --admin-token')
    .env('SVC_HOST')
    .default(DEFAULT_CONFIG.host),
  publicUrl: new Option(
    '--public-url <url>',
    'base of the URLs in responses, for a server behind a proxy; any non-loopback URL requires --admin-token',
  )
    .env('SVC_PUBLIC_URL')
    .argParser(parsePublicUrl),
  dataDir: new Option('--data <dir>', 'folder for the database and the master key; the server creates a missing folder')
    .env('SVC_DATA')
    .default(DEFAULT_CONFIG.dataDir)
    .argParser(folder),
  memory: new Option('--memory', 'keep all data in memory, and store nothing on disk'),
  // No parser, because Commander prints each value that a parser rejects, and the URL may contain a password.
  databaseUrl: new Option(
    '--database <postgres-url>',
    'use PostgreSQL (15 or later) instead of SQLite; several servers can share the database',
  ).env('SVC_DATABASE_URL'),
  seed: new Option('--seed <file>', 'seed file (JSON or YAML) for an empty database (default: a built-in demo seed)'),
  startAt: new Option('--start-at <time>', 'freeze the clock of an empty database at this time; ISO 8601').argParser(
    instant,
  ),
  randomSeed: new Option(
    '--random-seed <n>',
    'make random faults the same in every run; with --start-at, ids, secrets and credentials are the same, too',
  ).argParser(wholeNumber(0, 2 ** 32 - 1)),

  strict: new Option(
    '--strict',
    'require https receivers, and forbid loopback receivers and the demo seed; the control API requires --admin-token',
  ),
  adminToken: new Option(
    '--admin-token <token>',
    'token that protects the control API and the metrics; at least 32 characters',
  ).env('SVC_ADMIN_TOKEN'),
  rateLimit: new Option('--no-rate-limit', 'turn off rate limits and their headers'),
  allowNetworks: new Option('--allow-network <cidr>', 'allow receivers in this network; repeatable')
    .default([], 'none')
    .argParser((cidr, all: string[]) => [...all, cidr]),
  cors: new Option('--cors <origin>', 'allow web pages from this origin to call /v1; repeatable')
    .env('SVC_CORS')
    .default([], 'none')
    .argParser((text, all: string[]) => [...all, ...partsOf(text).map(origin)]),
  roles: new Option(
    '--roles <list>',
    'parts that this server runs: api serves /v1, deliver makes attempts, evaluate runs due evaluations and syncs',
  )
    .default([...NODE_ROLES], NODE_ROLES.join(','))
    .argParser(roles),
  maxConnections: new Option(
    '--max-connections <n>',
    'maximum client connections; new connections replace idle connections (default: the number of files that the process may open, minus the files for attempts and the database)',
  ).argParser(wholeNumber(1, 1_000_000)),

  concurrency: new Option(
    '--concurrency <n>',
    'maximum delivery attempts in flight on this server; a single busy workspace uses at most two thirds of this number',
  )
    .default(DEFAULT_CONFIG.concurrency)
    .argParser(wholeNumber(1, 100_000)),
  endpointConcurrency: new Option('--endpoint-concurrency <n>', 'maximum delivery attempts in flight to one endpoint')
    .default(DEFAULT_CONFIG.endpointConcurrency)
    .argParser(wholeNumber(1, 10_000)),
  retryDelaysMs: new Option('--retry-schedule <list>', 'waits between attempts')
    .default(DEFAULT_CONFIG.retryDelaysMs, DEFAULT_CONFIG.retryDelaysMs.map(compactDuration).join(','))
    .argParser(durations),
  retryJitterPercent: new Option(
    '--retry-jitter <percent>',
    'lengthen each wait between attempts by a random time, up to this percentage of the wait',
  )
    .default(DEFAULT_CONFIG.retryJitterPercent)
    .argParser(wholeNumber(0, 100)),
  retentionMs: new Option(
    '--retention <duration>',
    'how long to keep deliveries after they end, such as 90d; events are kept at least as long (default: forever)',
  ).argParser(retention),
  // This option has no parser, for the same reason as `--database`.
  smtp: new Option(
    '--smtp <url>',
    'mail server for sending notifications by email, such as smtp://host:587?from=svc@example.com',
  ).env('SVC_SMTP'),
  json: new Option('--json', 'print one line of JSON when the server is ready; log JSON lines to standard error'),
} satisfies Partial<Record<keyof ServerConfig | 'memory' | 'json', Option>>;
