import { Command, CommanderError } from 'commander';
import { CommandError } from './command-error.ts';
import { evaluateCommand } from './evaluate.ts';
import { profilesCommand } from './import-profiles.ts';

/** Runs a command that talks to a running server. @returns its exit code. */
export async function runServerCommand(argv: readonly string[]): Promise<number> {
  const program = new Command('svc-mock').addCommand(profilesCommand()).addCommand(evaluateCommand());
  quiet(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!(error instanceof CommandError || error instanceof CommanderError)) throw error;
    const message = error.message.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
    process.stderr.write(`svc-mock: ${message}\n`);
    return error instanceof CommandError ? error.exitCode : 2;
  }
}

/** What commander says of a mistake is said here, in one line. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  command.commands.forEach(quiet);
}
