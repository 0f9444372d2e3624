import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server in its own process. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  process: ChildProcess;
  /** Ends it with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>;
}

/** All servers of a run share this key. */
const SVC_MASTER_KEY = randomBytes(32).toString('hex');

/** Starts a server with its command, on a free port. Disposing of it sends SIGKILL. */
export async function startServerProcess(options: readonly string[]): Promise<ServerProcess> {
  const file = new URL('../../src/main.ts', import.meta.url).pathname;
  const given = ['--port', '0', '--no-rate-limit', '--json', ...options];
  const env = { ...process.env, SVC_MASTER_KEY, SVC_LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [file, ...given], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit') as Promise<[number | null]>;
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), gone])) as [string | number | null];
  if (typeof line !== 'string') throw new Error(`The server did not start: it exited with code ${line}.`);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    process: child,
    async stop() {
      child.kill('SIGTERM');
      return (await gone)[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The parts of a server's responses that the crash tests read. */
interface Answered {
  events?: { deliveries: { id: string; status: string }[] }[];
  settled?: boolean;
  pending?: number;
  explanation?: { reason: string };
  nextDueAt?: string | null;
  data?: { id: string; active?: boolean; created?: string }[];
  now?: string;
}

/** Calls a server. @throws TypeError if it is gone. */
export async function call(
  { url }: Pick<ServerProcess, 'url'>,
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  body?: object,
  credential?: string,
) {
  const headers = {
    'content-type': 'application/json',
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
  };
  const response = await fetch(new URL(path, url), { method, headers, body: body ? JSON.stringify(body) : null });
  return { status: response.status, body: (await response.json()) as Answered };
}

/** Makes a server accept a number of events. @returns the status, and the ids of the deliveries that are pending. */
export async function cause(server: Pick<ServerProcess, 'url'>, workspaceId: string, count: number) {
  const events = Array(count).fill({ workspaceId, type: 'lifecycle.evaluated' });
  const { status, body } = await call(server, 'POST', '/_control/events', { events });
  const deliveries = (body.events ?? []).flatMap((event) => event.deliveries);
  return { status, pending: deliveries.flatMap((delivery) => (delivery.status === 'pending' ? [delivery.id] : [])) };
}
