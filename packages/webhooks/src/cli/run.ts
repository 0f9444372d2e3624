import { readFileSync } from 'node:fs';
import { WebhookError } from '../error.ts';
import { parseCommandLine } from './command-line.ts';
import { COMMANDS } from './commands.ts';
import { print, printError, visibleLine, withoutSecrets } from './print.ts';
import { usageOf } from './usage.ts';
import { UsageError } from './usage-error.ts';

/** Runs the command and returns its exit code. */
export async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const line = parseCommandLine(args, environment);
    if (line.help || line.version) {
      print(line.help ? usageOf(line.command) : `${version()}\n`);
      return 0;
    }
    return (await COMMANDS[line.command ?? '']?.run(line)) ?? 2;
  } catch (error) {
    if (error instanceof UsageError) {
      const help = error.command ? `svc-webhooks ${error.command} --help` : 'svc-webhooks --help';
      printError(`${lineOf(error)}\nRun ${help} for help.\n`);
      return 2;
    }
    if (WebhookError.is(error)) {
      printError(`${lineOf(error)}\n`);
      return 1;
    }
    // Any other error is a bug, so print its stack.
    printError(`${error instanceof Error && error.stack ? error.stack : error}\n`);
    return 1;
  }
}

/** Returns the package's version. In the build, the command is one folder below package.json. */
function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

const lineOf = ({ message }: Error): string => visibleLine(withoutSecrets(message));
