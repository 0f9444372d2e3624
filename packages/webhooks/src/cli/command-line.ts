import { parseArgs } from 'node:util';
import type { Secrets } from '../signers.ts';
import { UsageError } from './usage-error.ts';

/** The command line, read. */
export interface CommandLine {
  command: string | undefined;
  argument: string | undefined;
  help: boolean;
  check: boolean;
  secrets: string[];
  event?: string;
  body?: string;
  headers: string[];
  id?: string;
  timestamp?: string;
  at?: string;
}

/** Reads the command line. Throws {@link UsageError}. */
export function parseCommandLine(args: string[], environment: NodeJS.ProcessEnv): CommandLine {
  const { values, positionals } = readArgs(args);
  const { secret, header = [], help = false, check = false, ...rest } = values;
  const fromEnvironment = environment['WEBHOOK_SECRET'];
  const [command, argument, ...surplus] = positionals;
  if (surplus.length) throw new UsageError(`Unexpected: ${surplus.join(' ')}`);
  return {
    command,
    argument,
    help,
    check,
    headers: header,
    secrets: secret ?? (fromEnvironment ? [fromEnvironment] : []),
    ...rest,
  };
}

function readArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        secret: { type: 'string', short: 's', multiple: true },
        event: { type: 'string', short: 'e' },
        body: { type: 'string', short: 'b' },
        header: { type: 'string', short: 'H', multiple: true },
        id: { type: 'string' },
        timestamp: { type: 'string' },
        at: { type: 'string' },
        check: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The secrets that were given. Throws {@link UsageError} where there is none. */
export function secretsOrThrow({ secrets }: CommandLine): Secrets {
  if (secrets.length === 0) throw new UsageError('Give --secret, or set WEBHOOK_SECRET.');
  return secrets;
}
