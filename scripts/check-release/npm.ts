import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '@svc/testing';

/** Windows cannot start `npm` without a shell, so Node runs npm's JavaScript file. */
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

export async function npm(argv: string[], cwd: string): Promise<string> {
  return await must([npmProgram(), ...argv], cwd);
}

/** Runs a script with the same Node as this process. Rejects if the exit code is not 0. */
export async function must(argv: string[], cwd: string): Promise<string> {
  const { status, stdout, stderr } = await run(process.execPath, argv, { cwd });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
