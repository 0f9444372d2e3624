import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '@svc/testing';

/** The built program. In a clone of the repository, `bin/svc-mock.js` would run the sources instead. */
const file = join(root, 'mock-server/dist/main.js');

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface SvcMockOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
}

/** Returns an environment without this process's credentials and color settings. */
function environment(url: string, env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { SVC_API_KEY: _key, SVC_ADMIN_TOKEN: _token, NO_COLOR: _colour, FORCE_COLOR: _force, ...rest } = process.env;
  return { ...rest, TERM: 'xterm-256color', SVC_BASE_URL: url, ...env };
}

export function spawnSvcMock(
  url: string,
  argv: readonly string[],
  { env, cwd = root }: SvcMockOptions = {},
): ChildProcess {
  return spawn('node', [file, ...argv], { cwd, env: environment(url, env), stdio: ['pipe', 'pipe', 'pipe'] });
}

export async function svcMock(url: string, argv: readonly string[], options: SvcMockOptions = {}): Promise<Ran> {
  const child = spawnSvcMock(url, argv, options);
  child.stdin?.end(options.input ?? '');
  return await collect(child);
}

/** Runs `svc-mock` in a pseudo-terminal. `screen` contains standard output and standard error. */
export async function svcMockInTerminal(
  url: string,
  argv: readonly string[],
  columns: number,
  { env, input }: SvcMockOptions = {},
): Promise<{ status: number | null; screen: string }> {
  const child = spawnInTerminal(url, argv, columns, { ...(env && { env }) });
  if (input !== undefined) child.stdin?.write(input);
  const { status, stdout } = await collect(child);
  child.stdin?.destroy();
  return { status, screen: stdout.replaceAll('\r\n', '\n') };
}

/**
 * Starts `svc-mock` in a pseudo-terminal. Write to the process's standard input to imitate what a user types: `\x03` is
 * Ctrl+C.
 */
export function spawnInTerminal(
  url: string,
  argv: readonly string[],
  columns: number,
  { env }: SvcMockOptions = {},
): ChildProcess {
  const command = ['node', file, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return spawn('script', ['-qefc', `stty cols ${columns} rows 50 -echo; exec ${command}`, '/dev/null'], {
    cwd: root,
    env: environment(url, env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function collect(child: ChildProcess): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [status] = await once(child, 'close');
  return { status: status as number | null, stdout, stderr };
}
