import { WebhookError } from '../error.ts';
import { parseCommandLine } from './command-line.ts';
import { checkOrDrawSecret } from './secret-command.ts';
import { send } from './send-command.ts';
import { sign } from './sign-command.ts';
import { USAGE } from './usage.ts';
import { UsageError } from './usage-error.ts';
import { verify } from './verify-command.ts';

const COMMANDS = { sign, verify, send, secret: checkOrDrawSecret };

/** Runs the command, and gives its exit code. */
export async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const line = parseCommandLine(args, environment);
    if (line.help) {
      process.stdout.write(USAGE);
      return 0;
    }
    const { command = '' } = line;
    if (!Object.hasOwn(COMMANDS, command))
      throw new UsageError(command ? `No such command: ${command}` : 'Which command?');
    return await COMMANDS[command as keyof typeof COMMANDS](line);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${withoutSecrets(error.message)}\n\n${USAGE}`);
      return 2;
    }
    if (WebhookError.is(error)) {
      process.stderr.write(`${withoutSecrets(error.message)}\n`);
      return 1;
    }
    throw error;
  }
}

/** A secret that was typed in a wrong place is not printed back: terminals are recorded. */
const withoutSecrets = (text: string): string => text.replaceAll(/wh(?:sec|sk|pk)_\S+/g, 'whsec_…');
