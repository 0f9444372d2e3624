import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface ShellOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** A shell that runs one line after another. Variables that a line sets are available to later lines. */
export interface Shell extends AsyncDisposable {
  /** Runs the lines, and waits until they have finished. Rejects if a line fails. */
  type(lines: string): Promise<void>;
}

export function openShell(options: ShellOptions): Shell {
  const shell = spawn('bash', [], { ...options, stdio: 'pipe' });
  const { read } = collect(shell);
  const closed = once(shell, 'close');
  let typed = 0;
  shell.stdin.write('set -eu\n');
  return {
    async type(lines) {
      const mark = `--- typed ${++typed} ---`;
      shell.stdin.write(`${lines}\necho '${mark}'\n`);
      while (!read().includes(mark)) {
        await Promise.race([once(shell.stdout, 'data'), closed]);
        if (shell.exitCode !== null) throw new Error(`The shell ended with ${shell.exitCode}:\n${lines}\n${read()}`);
      }
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      await closed;
    },
  };
}

/** A program that runs in a separate terminal until Ctrl+C. */
export interface Terminal extends AsyncDisposable {
  read(): string;
  stop(): Promise<void>;
}

/** How long a program may take to print the text that a guide names. */
const PRINTS_MS = 15_000;

/** Starts a program that runs until Ctrl+C, and waits until it prints `text` (by default, anything). */
export async function openTerminal(code: string, options: ShellOptions, text = ''): Promise<Terminal> {
  const child = spawn('bash', ['-c', code], { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const { read } = collect(child);
  const closed = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGINT');
    await closed;
  };
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, PRINTS_MS, 'late').unref());
  while (read() === '' || !read().includes(text)) {
    const first = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed, late]);
    if (child.exitCode !== null) break;
    if (first !== 'late') continue;
    await stop();
    throw new Error(`The program did not print ${text || 'anything'}:\n${code}\n${read()}`);
  }
  if (child.exitCode) throw new Error(`The program ended with ${child.exitCode}:\n${code}\n${read()}`);
  return { read, stop, [Symbol.asyncDispose]: stop };
}

function collect(child: ChildProcess): { read(): string } {
  let text = '';
  for (const stream of [child.stdout, child.stderr] as Readable[]) {
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  }
  return { read: () => text };
}
