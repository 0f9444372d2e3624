import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const root = join(import.meta.dirname, '../../..');

/** The line of JSON that a server prints when it is ready. */
export interface Ready {
  ready: true;
  url: string;
  controlUrl: string;
  credentials: { kind: string; name: string; credential: string; workspaceId: string | null; role: string | null }[];
}

/** A server that starts in the same way as a user's server. */
export interface ServerProcess extends AsyncDisposable {
  ready: Ready;
  /** The time from the start of the process to its ready line. */
  startedInMs: number;
  /**
   * Standard error. To imitate a reader that no longer reads, pause this stream. To imitate a reader that has exited,
   * destroy the stream.
   */
  log: Readable;
  stderr(): string;
  /** Waits until standard error contains this text. Rejects if the process ends first. */
  said(text: string): Promise<void>;
  /** Sends the signal to the process or, with `group`, to its whole group, as Ctrl+C in a terminal does. */
  kill(signal: NodeJS.Signals): void;
  ended: Promise<End>;
  end(signal: NodeJS.Signals): Promise<End>;
}

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StartProcessOptions {
  /** Whether to start the process in a new process group. Default: false. */
  group?: boolean;
}

/**
 * Starts a server, and waits for its ready line. By default, Node runs the built server directly, without npm, so that
 * a signal reaches the server itself.
 */
export async function startProcess(
  argv: string[],
  command: string[] = ['node', 'mock-server/dist/main.js', 'start'],
  { group = false }: StartProcessOptions = {},
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const [file = '', ...rest] = command;
  const child = spawn(file, [...rest, '--json', '--port', '0', ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: group,
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ready = await readyLine(child);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as End);
  const kill = (signal: NodeJS.Signals) => void process.kill(group ? -Number(child.pid) : Number(child.pid), signal);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const end: ServerProcess['end'] = async (signal) => {
    if (isRunning()) kill(signal);
    return await ended;
  };
  return {
    ready,
    startedInMs: performance.now() - startedAt,
    log: child.stderr,
    stderr: () => stderr,
    async said(text) {
      const over = ended.then(() => 'over');
      while (!stderr.includes(text)) {
        if ((await Promise.race([once(child.stderr, 'data'), over])) !== 'over') continue;
        throw new Error(`The server ended without writing "${text}". It wrote: ${stderr}`);
      }
    },
    kill,
    ended,
    end,
    async [Symbol.asyncDispose]() {
      if (isRunning()) await end('SIGKILL');
    },
  };
}

async function readyLine(child: ChildProcess): Promise<Ready> {
  if (!child.stdout || !child.stderr) throw new TypeError('The output of the process must be piped.');
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
