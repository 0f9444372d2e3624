import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addStartOptions, type StartCommand } from '../config/argv.ts';
import {
  addCommand,
  addGroup,
  type CommandSpec,
  type GroupSpec,
  helpOfExamples,
  takeSharedOptions,
} from './command.ts';
import { clock } from './commands/clock.ts';
import { keys, tokens } from './commands/credentials.ts';
import { deliveries } from './commands/deliveries.ts';
import { doctor } from './commands/doctor.ts';
import { endpoints } from './commands/endpoints.ts';
import { events } from './commands/events.ts';
import { faults } from './commands/faults.ts';
import { listen } from './commands/listen.ts';
import { openDashboard } from './commands/open.ts';
import { evaluate, profiles } from './commands/profiles.ts';
import { reset, snapshot } from './commands/snapshot.ts';
import { exportAll, importAll } from './commands/transfer.ts';
import { trigger } from './commands/trigger.ts';
import { whoami, workspaces } from './commands/whoami.ts';
import { oneLine, UsageError } from './exit-codes.ts';
import { print } from './output/terminal.ts';
import { sharedOptions } from './shared-options.ts';
import { namesIn, rejectUnknown } from './unknown-command.ts';

/** All commands in the order of the help page: everyday commands first. */
const COMMANDS: readonly (CommandSpec | GroupSpec)[] = [
  openDashboard,
  whoami,
  trigger,
  listen,
  deliveries,
  endpoints,
  events,
  workspaces,
  keys,
  tokens,
  profiles,
  evaluate,
  clock,
  faults,
  snapshot,
  reset,
  exportAll,
  importAll,
  doctor,
];

export function createProgram(
  version: string,
  env: NodeJS.ProcessEnv,
  onStart: (start: StartCommand) => void,
): Command {
  const program = new Command('svc-mock')
    .description('The reference server of the Workspace Lifecycle Service, and commands to work with the server')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .addHelpText(
      'after',
      '\nEvery command except start takes --server, --admin-token, --api-key and --json, before or after the command name.\n' +
        helpOfExamples(['svc-mock start', 'svc-mock trigger lifecycle.evaluated --wait']),
    );
  for (const option of sharedOptions()) program.addOption(option);
  addStart(program, env, onStart);
  for (const spec of COMMANDS) {
    if ('commands' in spec) addGroup(program, spec);
    else addCommand(program, spec);
  }
  tab(program, { completionCommandName: 'completion' });
  for (const completion of program.commands.filter((command) => command.name() === 'completion')) {
    takeSharedOptions(completion);
    completion.addHelpText(
      'after',
      helpOfExamples([
        'source <(svc-mock completion bash)',
        'svc-mock completion fish > ~/.config/fish/completions/svc-mock.fish',
      ]),
    );
  }
  addHelp(program);
  return program;
}

/** Replaces Commander's command `help`, which neither finds the commands of a group nor reports unknown commands. */
function addHelp(program: Command): void {
  const help = program
    .helpCommand(false)
    .command('help [command...]')
    .description('display help for a command')
    .addHelpText('after', helpOfExamples(['svc-mock help trigger', 'svc-mock help deliveries replay']))
    .action((names: readonly string[]) => {
      let shown = program;
      for (const name of names) {
        const found = shown.commands.find((command) => command.name() === name);
        if (!found) return rejectUnknown(shown, [name]);
        shown = found;
      }
      shown.help();
    });
  takeSharedOptions(help);
}

function addStart(program: Command, env: NodeJS.ProcessEnv, onStart: (start: StartCommand) => void): void {
  const start: Command = program
    .command('start', { isDefault: true })
    .description('start the server (default)')
    .usage('[options]')
    .allowExcessArguments()
    .hook('preAction', () => {
      rejectUnknown(program, wordsOf(start));
      const unused = program.options.filter(({ long }) => !start.options.some((own) => own.long === long));
      const other = unused.find((option) => program.getOptionValueSource(option.attributeName()) === 'cli');
      if (other) throw new UsageError(oneLine(`unknown option '${other.long}'`, 'svc-mock start'));
    })
    .exitOverride((error): never => {
      const words = wordsOf(start);
      const [word = '-'] = words;
      // In `svc-mock trigr --workspace x`, the option is valid, but the command is misspelled.
      if (error.code === 'commander.unknownOption' && !word.startsWith('-')) rejectUnknown(program, [word]);
      // In `svc-mock --jsn whoami`, the misspelled option does not belong to `start`, so do not mention `start`.
      const path = words.some((one) => namesIn(program).includes(one)) ? 'svc-mock' : 'svc-mock start';
      const message = error.message.replace(/unknown option '-v'/, '$& (Did you mean --version?)');
      throw error.exitCode === 0 ? error : new UsageError(oneLine(message, path), { cause: error });
    });
  addStartOptions(start, env, onStart);
}

/** Leaves out the word `start`, which Commander treats as an argument if options of `start` come before the word. */
function wordsOf(start: Command): readonly string[] {
  const isGivenLate = start.args[0] === 'start' && start.parent?.args[0] !== 'start';
  return isGivenLate ? start.args.slice(1) : start.args;
}
