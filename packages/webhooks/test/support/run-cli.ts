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

/** Runs a command line of the built command in a shell. Ends the command after 20 seconds. */
export function runInShell(line: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `exec "$0" "$1" ${line}`, process.execPath, cli], {
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return { status, stdout, stderr };
}
