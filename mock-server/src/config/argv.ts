import type { Command } from 'commander';
import { ConfigError, type ServerConfig } from './config.ts';
import { readSeedFile } from './seed-file.ts';
import { START_OPTIONS } from './start-options.ts';

export interface StartCommand {
  config: ServerConfig;
  /** Whether to print the ready message and the log as lines of JSON. */
  json: boolean;
}

/** The values of the options. `seed` is the name of a file. */
type StartOptions = Omit<ServerConfig, 'seed'> & { memory?: true; json?: true; seed?: string };

export function addStartOptions(command: Command, env: NodeJS.ProcessEnv, act: (start: StartCommand) => void): Command {
  for (const option of Object.values(START_OPTIONS)) command.addOption(option);
  return command
    .addHelpText(
      'after',
      '\nSVC_MASTER_KEY is the master key (32 bytes, base64 or hexadecimal). The server uses this key instead of the key file in the data folder.\n' +
        'SVC_LOG_LEVEL is debug, info, warn, error or silent (default: info with --json, otherwise warn).\n' +
        '\nExamples:\n  svc-mock start\n  svc-mock start --memory --port 0 --json\n',
    )
    .action(() => {
      // --admin-token and --json are also options of the program, so read the program's options, too.
      const values = command.optsWithGlobals();
      const given = Object.entries(START_OPTIONS).map(([name, option]) => [name, values[option.attributeName()]]);
      const options: StartOptions = Object.fromEntries(given);
      const databaseFrom = command.getOptionValueSource('database') === 'env' ? 'SVC_DATABASE_URL' : '--database';
      if (options.memory && options.databaseUrl) {
        throw new ConfigError(
          `--memory stores nothing, but ${databaseFrom} names a PostgreSQL database. Remove --memory or ${databaseFrom}.`,
        );
      }
      act({ config: toConfig(options, env), json: options.json ?? false });
    });
}

function toConfig({ memory, json, ...options }: StartOptions, env: NodeJS.ProcessEnv): ServerConfig {
  const { dataDir, databaseUrl, seed, strict = false, smtp } = options;
  return {
    ...options,
    dataDir: memory ? null : dataDir,
    databaseUrl: databaseUrl || undefined,
    seed: seed === undefined ? undefined : readSeedFile(seed),
    strict,
    masterKey: env['SVC_MASTER_KEY'],
    smtp: smtp || undefined,
    logFormat: json ? 'json' : 'text',
    logLevel: logLevelOf(env['SVC_LOG_LEVEL']) ?? (json ? 'info' : 'warn'),
  };
}

function logLevelOf(text: string | undefined): string | undefined {
  if (text === undefined || ['debug', 'info', 'warn', 'error', 'silent'].includes(text)) return text;
  throw new ConfigError('SVC_LOG_LEVEL must be debug, info, warn, error or silent.');
}
