import type { Command, Option } from 'commander';
import { type CommandContext, createContext } from './context.ts';
import { oneLine, UsageError } from './exit-codes.ts';
import { printError } from './output/terminal.ts';
import { type SharedOptions, sharedOptions } from './shared-options.ts';
import { onStopSignal } from './stop-signals.ts';
import { isTracing } from './traced-fetch.ts';
import { namesIn, pathOf, rejectUnknown } from './unknown-command.ts';

export interface CommandSpec<Options = unknown> {
  /** The name and the arguments, such as `show <id>`. */
  usage: string;
  summary: string;
  examples: readonly [string, string];
  options?: readonly Option[];
  /** If true, the first Ctrl+C, SIGTERM or SIGHUP aborts the `signal` and lets the command clean up. */
  stopsGracefully?: boolean;
  isDefault?: boolean;
  /** @throws if the requested action did not happen. */
  run(context: CommandContext, args: readonly string[], options: Options): Promise<void>;
}

export interface GroupSpec {
  name: string;
  summary: string;
  commands: readonly CommandSpec[];
}

export function addCommand(parent: Command, spec: CommandSpec): void {
  const { usage, summary, examples, options = [], stopsGracefully = false, isDefault = false } = spec;
  const command = parent
    .command(usage, { isDefault })
    .description(summary)
    // The first argument of a default command may be a misspelled command name, which `rejectUnknown` then reports.
    .allowExcessArguments(isDefault)
    .addHelpText('after', helpOfExamples(examples));
  for (const option of options) command.addOption(option);
  takeSharedOptions(command);
  command.action(async () => {
    const { args } = command;
    if (isDefault) rejectUnknown(parent, args);
    // A script passes an empty string if one of its variables is not set.
    const empty = command.registeredArguments.find((_argument, index) => args[index] === '');
    if (empty) throw new UsageError(oneLine(`The argument <${empty.name()}> is an empty string`, pathOf(command)));
    // The program also takes the shared options, so that these options can come before the name of the command.
    const own = command.optsWithGlobals<SharedOptions>();
    const stop = new AbortController();
    if (stopsGracefully) onStopSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
    const context = createContext(own, stop.signal);
    await spec.run(context, args, own).catch((error: unknown) => {
      throw asUnusableResponse(error, context) ?? error;
    });
  });
}

export function takeSharedOptions(command: Command): void {
  for (const option of sharedOptions()) command.addOption(option);
  nameInErrors(command);
}

/** Adds the name of the command to messages about wrong options and arguments. */
function nameInErrors(command: Command): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : new UsageError(oneLine(error.message, pathOf(command)), { cause: error });
  });
}

function asUnusableResponse(error: unknown, { url, hasResponse }: CommandContext): UsageError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, stack } = error;
  if (name === 'ResponseError') {
    return new UsageError(`${message}. The program at ${url} may not be svc-mock.`, { cause: error });
  }
  // Commands do not check the fields of a response, so a response with wrong fields causes one of these errors. A bug
  // in the command may cause the same errors, so this message quotes the error's own message.
  if (!hasResponse() || !(error instanceof TypeError || error instanceof RangeError)) return undefined;
  if (isTracing) printError(`svc-mock: ${stack}\n`);
  return new UsageError(
    `Cannot use a response from the server at ${url}: ${message.replace(/\.$/, '')}. Is the server svc-mock of this version? To see the requests and the stack, set SVC_DEBUG=1.`,
    { cause: error },
  );
}

export function addGroup(program: Command, { name, summary, commands }: GroupSpec): void {
  const group = program.command(name).description(summary);
  nameInErrors(group);
  for (const command of commands) addCommand(group, command);
  // Show the first example of each of the first two commands. If the group has one command, show its two examples.
  const examples = [...commands.map((one) => one.examples[0]), ...commands.map((one) => one.examples[1])];
  group.addHelpText('after', helpOfExamples(examples.slice(0, 2)));
  if (commands.some(({ isDefault }) => isDefault)) return;
  group
    .usage('<command> [options]')
    .argument('[command...]')
    .action((given: string[]) => {
      rejectUnknown(group, given);
      throw new UsageError(
        `svc-mock ${name} requires a command: ${namesIn(group).join(', ')}. Try: svc-mock ${name} --help`,
      );
    });
}

export const helpOfExamples = (examples: readonly string[]) =>
  `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`;
