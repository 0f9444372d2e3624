import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { root } from './run.ts';

/** The ready line of a server. */
export interface Ready {
  ready: true;
  url: string;
  controlUrl: string;
  credentials: { kind: string; name: string; credential: string; workspaceId: string | null; role: string | null }[];
}

/** A server in a process of its own, started as a user starts it. */
export interface ServerProcess extends AsyncDisposable {
  ready: Ready;
  /** From the start of the process to its ready line, in milliseconds. */
  startedInMs: number;
  /** Sends a signal and resolves with the exit code and the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts a server and waits for its ready line.
 *
 * @param command - Built code by default, without npm in between, so that a signal reaches the server itself.
 */
export async function startProcess(
  argv: string[],
  command: string[] = ['node', 'mock-server/dist/main.js', 'start'],
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const [file = '', ...rest] = command;
  const child = spawn(file, [...rest, '--json', '--port', '0', ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ready = await readyLine(child);
  const ended = once(child, 'exit');
  const end: ServerProcess['end'] = async (signal) => {
    child.kill(signal);
    const [code, endedBy] = await ended;
    return { code, signal: endedBy };
  };
  return {
    ready,
    startedInMs: performance.now() - startedAt,
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
    },
  };
}

async function readyLine(child: ChildProcess): Promise<Ready> {
  if (!child.stdout || !child.stderr) throw new TypeError('The output of the process is piped.');
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout });
  const first = once(lines, 'line') as Promise<[string]>;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code} before it was ready: ${stderr}`);
  });
  const [line] = await Promise.race([first, ended]);
  ended.catch(() => {});
  return JSON.parse(line) as Ready;
}
