import { type Command, Option } from 'commander';
import { examplesOf, helpOfExamples } from './examples.ts';
import { UsageError } from './exit.ts';
import { createSession, type Session, type SharedOptions } from './session.ts';
import { onceStopped } from './stopped.ts';

/** What a command of the CLI is: its place, its texts and what it does. */
export interface CommandSpec<Options> {
  /** Its name and arguments, such as `show <id>`. */
  usage: string;
  /** One line for help. */
  summary: string;
  /** Two lines to paste. */
  examples: readonly [string, string];
  options?: readonly Option[];
  /** Whether it cleans up after Ctrl+C by itself, when its `signal` aborts. */
  stopsGracefully?: boolean;
  isDefault?: boolean;
  /** @returns nothing; it throws if it did not happen. */
  run(session: Session, args: readonly string[], options: Options): Promise<void>;
}

/** Adds a command, with the options that every command has. */
export function addCommand<Options>(parent: Command, spec: CommandSpec<Options>): Command {
  const { usage, summary, examples, options = [], stopsGracefully = false, isDefault = false } = spec;
  const command = parent
    .command(usage, { isDefault })
    .description(summary)
    .allowExcessArguments(false)
    .addHelpText('after', helpOfExamples(examples));
  examplesOf.set(command, examples);
  for (const option of [...options, ...sharedOptions()]) command.addOption(option);
  command.action(async (...given: unknown[]) => {
    const { args } = command;
    const own = given.at(-2) as Options & SharedOptions;
    const session = createSession(own, stopsGracefully ? onceStopped() : new AbortController().signal);
    await spec.run(session, args, own).catch((error: unknown) => {
      // The client reads what it asked for, or says why the answer is none of the service's.
      const { name, message } = Object(error) as Partial<Error>;
      if (name !== 'ResponseError') throw error;
      throw new UsageError(`${message}. The program at ${session.url} may not be svc-mock.`, { cause: error });
    });
  });
  return command;
}

const sharedOptions = () => [
  new Option('--url <url>', 'the server').env('SVC_URL').default('http://127.0.0.1:4010'),
  new Option('--admin-token <token>', 'the admin token of the server, if it has one').env('SVC_ADMIN_TOKEN'),
  new Option('--api-key <key>', 'the credential for the API (default: the first demo key that is accepted)').env(
    'SVC_API_KEY',
  ),
  new Option('--json', 'one JSON document, or one line for each item of a stream'),
];
