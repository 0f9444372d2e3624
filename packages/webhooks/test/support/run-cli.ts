import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Runs the built command. Its standard output is a pipe, or the open file `output`. */
export function runCli(
  args: string[],
  input: string | Uint8Array = '',
  environment: Record<string, string> = {},
  output: 'pipe' | number = 'pipe',
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    input,
    env: environment,
    encoding: 'utf8',
    stdio: ['pipe', output, 'pipe'],
  });
  return { status, stdout, stderr };
}
