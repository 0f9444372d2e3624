import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '@svc/testing';

/** The path of npm's JavaScript file. Node runs this file, because Windows cannot start `npm` without a shell. */
function npmProgram(): string {
  const bin = dirname(process.execPath);
  const candidates = [
    process.env['npm_execpath'],
    join(bin, 'node_modules/npm/bin/npm-cli.js'),
    join(bin, '../lib/node_modules/npm/bin/npm-cli.js'),
  ];
  const found = candidates.find((path) => path?.endsWith('.js') && existsSync(path));
  if (!found) throw new Error('Cannot find npm. Run this script with `npm run`.');
  return found;
}

/** Runs npm in a folder and returns its standard output. @throws if npm fails. */
export async function npm(argv: string[], cwd: string): Promise<string> {
  return await must([npmProgram(), ...argv], cwd);
}

/**
 * Runs a script in a folder, with the same Node as this process. Returns the script's standard output.
 *
 * @throws if the exit code is not 0.
 */
export async function must(argv: string[], cwd: string): Promise<string> {
  const { status, stdout, stderr } = await run(process.execPath, argv, { cwd });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
