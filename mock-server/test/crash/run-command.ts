/** A command of this repository. */
export interface Command<Options> {
  name: string;
  help: string;
  /** Parses the arguments into the options of the command. @throws TypeError if they are not valid. */
  read(): Options & { help: boolean };
  run(options: Options): Promise<void>;
}

/** Runs a command with the arguments of the process. If they are not valid, the process exits with code 2. */
export async function runCommand<Options>(command: Command<Options>): Promise<void> {
  const options = readOptions(command);
  if (options === undefined) process.exitCode = 2;
  else if (options.help) process.stdout.write(command.help);
  else await command.run(options);
}

function readOptions<Options>({ name, read }: Command<Options>): (Options & { help: boolean }) | undefined {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`);
    return undefined;
  }
}

/** Parses a count that an option names. @throws TypeError with the option's name. */
export function parseCount(option: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new TypeError(`--${option} must be a positive integer, not "${text}".`);
  return count;
}
