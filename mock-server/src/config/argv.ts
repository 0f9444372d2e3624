import type { Command } from 'commander';
import { ConfigError, type ServerConfig } from './config.ts';
import { readSeedFile } from './seed-file.ts';
import { START_OPTIONS, type StartOptions } from './start-options.ts';

export interface StartCommand {
  config: ServerConfig;
  /** Whether to print the ready message and the log as lines of JSON. */
  json: boolean;
}

export function addStartOptions(command: Command, env: NodeJS.ProcessEnv, act: (start: StartCommand) => void): Command {
  for (const option of START_OPTIONS) command.addOption(option);
  return command
    .addHelpText(
      'after',
      '\nSVC_MASTER_KEY is the master key (32 bytes, base64 or hexadecimal). The server uses this key instead of the key file in the data folder.\n' +
        'SVC_LOG_LEVEL is debug, info, warn, error or silent (default: info with --json, otherwise warn).\n' +
        '\nExamples:\n  svc-mock start\n  svc-mock start --memory --port 0 --json\n',
    )
    .action(() => {
      const options = command.opts<StartOptions>();
      const databaseFrom = command.getOptionValueSource('database') === 'env' ? 'SVC_DATABASE_URL' : '--database';
      if (options.memory && options.database) {
        throw new ConfigError(
          `--memory stores nothing, but ${databaseFrom} names a PostgreSQL database. Remove --memory or ${databaseFrom}.`,
        );
      }
      act({ config: toConfig(options, env), json: options.json ?? false });
    });
}

function toConfig(options: StartOptions, env: NodeJS.ProcessEnv): ServerConfig {
  const { data, memory, database, seed, strict, json, ...others } = options;
  const { allowNetwork, retrySchedule, retryJitter, retention, smtp, ...sameName } = others;
  return {
    ...sameName,
    dataDir: memory ? null : data,
    databaseUrl: database || undefined,
    seed: seed === undefined ? undefined : readSeedFile(seed),
    strict: strict ?? false,
    masterKey: env['SVC_MASTER_KEY'],
    allowNetworks: allowNetwork,
    retryDelaysMs: retrySchedule,
    retryJitterPercent: retryJitter,
    retentionMs: retention,
    smtp: smtp || undefined,
    logFormat: json ? 'json' : 'text',
    logLevel: logLevelOf(env['SVC_LOG_LEVEL']) ?? (json ? 'info' : 'warn'),
  };
}

function logLevelOf(text: string | undefined): string | undefined {
  if (text === undefined || ['debug', 'info', 'warn', 'error', 'silent'].includes(text)) return text;
  throw new ConfigError('SVC_LOG_LEVEL must be debug, info, warn, error or silent.');
}
