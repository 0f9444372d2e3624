import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addStartOptions, type StartCommand } from '../config/argv.ts';
import { addClock } from './commands/clock/index.ts';
import { addKeys } from './commands/credentials/keys.ts';
import { addTokens } from './commands/credentials/tokens.ts';
import { addDeliveries } from './commands/deliveries/index.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEndpoints } from './commands/endpoints/index.ts';
import { addEvaluate } from './commands/evaluate.ts';
import { addEvents } from './commands/events/index.ts';
import { addExport } from './commands/export.ts';
import { addFaults } from './commands/faults/index.ts';
import { addImport } from './commands/import.ts';
import { addListen } from './commands/listen.ts';
import { addOpen } from './commands/open.ts';
import { addProfiles } from './commands/profiles/index.ts';
import { addReset } from './commands/reset.ts';
import { addSnapshot } from './commands/snapshot/index.ts';
import { addTrigger } from './commands/trigger.ts';
import { addWhoami } from './commands/whoami.ts';
import { addWorkspaces } from './commands/workspaces.ts';
import { helpOfExamples } from './examples.ts';
import { UsageError } from './exit.ts';
import { oneLine } from './exit-code.ts';
import { print } from './output/terminal.ts';
import { rejectUnknown } from './unknown-command.ts';

/** All commands in the order of the help page: everyday commands first. */
const COMMANDS = [
  addOpen,
  addWhoami,
  addTrigger,
  addListen,
  addDeliveries,
  addEndpoints,
  addEvents,
  addWorkspaces,
  addKeys,
  addTokens,
  addProfiles,
  addEvaluate,
  addClock,
  addFaults,
  addSnapshot,
  addReset,
  addExport,
  addImport,
  addDoctor,
];

/**
 * The command line `svc-mock`.
 *
 * @param onStart - Called if the command is to start the server.
 */
export function createProgram(
  version: string,
  env: NodeJS.ProcessEnv,
  onStart: (start: StartCommand) => void,
): Command {
  const program = new Command('svc-mock')
    .description('Reference server of the Workspace Lifecycle Service, and the commands to work with it')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nEvery command except start takes --server, --admin-token, --api-key and --json, before or after its name.\n' +
        helpOfExamples(['svc-mock start', 'svc-mock trigger lifecycle.evaluated --wait']),
    );
  addStart(program, env, onStart);
  for (const add of COMMANDS) add(program);
  tab(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.addHelpText(
      'after',
      helpOfExamples([
        'source <(svc-mock completion bash)',
        'svc-mock completion fish > ~/.config/fish/completions/svc-mock.fish',
      ]),
    );
  return program;
}

function addStart(program: Command, env: NodeJS.ProcessEnv, onStart: (start: StartCommand) => void): void {
  const start: Command = program
    .command('start', { isDefault: true })
    .description('start the server (default)')
    .usage('[options]')
    .allowExcessArguments()
    .hook('preAction', () => rejectUnknown(program, start.args))
    .exitOverride((error): never => {
      const message = error.message.replace(/unknown option '-v'/, '$& (Did you mean --version?)');
      throw error.exitCode === 0 ? error : new UsageError(oneLine(message, 'svc-mock start'), { cause: error });
    });
  addStartOptions(start, env, onStart);
}
