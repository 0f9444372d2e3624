import { parseArgs } from 'node:util';
import { closest } from './closest.ts';
import { COMMANDS } from './commands.ts';
import type { CommandLine, OptionName } from './line.ts';
import { OPTIONS } from './options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads the command line. Throws {@link UsageError} for any mistake, including an option that only other commands
 * accept.
 */
export function parseCommandLine(args: string[], environment: NodeJS.ProcessEnv): CommandLine {
  const { values, positionals } = readArgs(args);
  const { secret, header = [], help = false, version = false, check = false, ...rest } = values;
  const fromEnvironment = environment['WEBHOOK_SECRET'];
  // Accept `svc-webhooks help verify`, because Git users ask for help this way.
  const asksHelp = positionals[0] === 'help';
  const [name, argument, ...surplus] = asksHelp ? positionals.slice(1) : positionals;
  const line: CommandLine = {
    command: name,
    argument,
    help: help || asksHelp,
    version,
    check,
    headers: header,
    secrets: secret ?? (fromEnvironment ? [fromEnvironment] : []),
    ...rest,
  };
  if (line.help || version) return line;
  if (name === undefined) throw new UsageError('The command is missing.');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const suggestion = meant(closest(name, Object.keys(COMMANDS)));
    throw new UsageError(`No such command: ${name}${suggestion && `.${suggestion}`}`);
  }
  const unexpected = command.argument ? surplus : [argument, ...surplus].filter((text) => text !== undefined);
  if (unexpected.length) throw new UsageError(`${name} does not accept the argument: ${unexpected.join(' ')}`, name);
  for (const option of Object.keys(values) as OptionName[]) {
    if (!command.options.includes(option)) throw new UsageError(`${name} does not accept --${option}.`, name);
  }
  if (name === 'secret' && secret && !check) throw new UsageError('--secret requires --check.', name);
  return line;
}

function readArgs(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // Node's message also contains advice about arguments that start with a dash. Keep only the first sentence.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    const command = args.find((word) => Object.hasOwn(COMMANDS, word));
    const [, unknown] = /^Unknown option '--(.+)'/.exec(sentence) ?? [];
    const known = [...(COMMANDS[command ?? '']?.options ?? []), 'help', 'version'];
    const option = unknown === undefined ? undefined : closest(unknown, known);
    throw new UsageError(`${sentence.replace(/\.$/, '')}.${meant(option && `--${option}`)}`, command);
  }
}

const meant = (word: string | undefined): string => (word ? ` Did you mean ${word}?` : '');
