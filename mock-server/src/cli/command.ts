import type { Command, Option } from 'commander';
import { type CommandContext, createContext } from './context.ts';
import { examplesOf, helpOfExamples } from './examples.ts';
import { UsageError } from './exit.ts';
import { oneLine } from './exit-code.ts';
import { type SharedOptions, sharedOptions } from './shared-options.ts';
import { onceStopped } from './stopped.ts';
import { pathOf, rejectUnknown } from './unknown-command.ts';

/** The definition of a CLI command: its name, its texts and its action. */
export interface CommandSpec<Options> {
  /** Its name and arguments, such as `show <id>`. */
  usage: string;
  /** One line for help. */
  summary: string;
  /** Two lines to paste. */
  examples: readonly [string, string];
  options?: readonly Option[];
  /** Whether the command cleans up after Ctrl+C when its `signal` aborts. */
  stopsGracefully?: boolean;
  isDefault?: boolean;
  /** @throws if the requested action did not happen. */
  run(context: CommandContext, args: readonly string[], options: Options): Promise<void>;
}

/** Adds a command, with the options that every command has. */
export function addCommand<Options>(parent: Command, spec: CommandSpec<Options>): Command {
  const { usage, summary, examples, options = [], stopsGracefully = false, isDefault = false } = spec;
  const command = parent
    .command(usage, { isDefault })
    .description(summary)
    // The arguments of a default command may be a misspelled name of another one.
    .allowExcessArguments(isDefault)
    .addHelpText('after', helpOfExamples(examples));
  examplesOf.set(command, examples);
  for (const option of [...options, ...sharedOptions()]) command.addOption(option);
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : new UsageError(oneLine(error.message, pathOf(command)), { cause: error });
  });
  command.action(async (...given: unknown[]) => {
    const { args } = command;
    if (isDefault) rejectUnknown(parent, args);
    const own = given.at(-2) as Options & SharedOptions;
    const context = createContext(own, stopsGracefully ? onceStopped() : new AbortController().signal);
    await spec.run(context, args, own).catch((error: unknown) => {
      // The response is not from the service, so the client could not read it. Its message says why.
      const { name, message } = Object(error) as Partial<Error>;
      if (name !== 'ResponseError') throw error;
      throw new UsageError(`${message}. The program at ${context.url} may not be svc-mock.`, { cause: error });
    });
  });
  return command;
}
