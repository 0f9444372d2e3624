import { readFileSync, writeFileSync } from 'node:fs';
import { HELP, type Options, parseCommandLine } from './command-line.ts';
import { reach } from './reach.ts';
import { conforms } from './report/counts.ts';
import { toJson } from './report/json.ts';
import { toJunit } from './report/junit.ts';
import { createTable, summaryOf } from './report/text.ts';
import { runStatements } from './run.ts';
import { statements } from './statements.ts';
import { UsageError } from './usage-error.ts';

export async function runCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
  printError: (text: string) => void,
): Promise<number> {
  try {
    const options = parseCommandLine(argv, environment);
    if (typeof options === 'object') return await check(options, print);
    print(options === 'help' ? HELP : `${version()}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printError(`svc-conformance: ${error.message}\nRun svc-conformance --help for help.\n`);
    return 2;
  }
}

async function check(options: Options, print: (text: string) => void): Promise<number> {
  const { url, only, json, junit } = options;
  const unknown = only.find((prefix) => !statements.some(({ id }) => id.startsWith(prefix)));
  if (unknown !== undefined) throw new UsageError(`No statement has an id that begins with "${unknown}".`);
  const asked = statements.filter(({ id }) => only.length === 0 || only.some((prefix) => id.startsWith(prefix)));
  // Create the file now, so that the command fails before the run if the file cannot be written.
  if (junit !== undefined) write(junit, toJunit(url, []));
  const target = await reach(options);
  const results = await runStatements(target, asked, json ? undefined : createTable(asked, print));
  if (junit !== undefined) write(junit, toJunit(url, results));
  print(json ? toJson(url, results) : summaryOf(results));
  return conforms(results) ? 0 : 1;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${(error as Error).message}`);
  }
}

/** Reads the version from `package.json`, which is in the parent folder of both the sources and the build. */
function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
