import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '../../../../tools/installed.ts';

/** A Redis for tests. */
export interface TestRedis extends AsyncDisposable {
  /** Options of a client that connects to it. */
  connection: { url: string } | { socket: { path: string; tls: false } };
}

/** Why no Redis is available, or undefined if one is. */
export const noRedis: string | undefined = !isInstalled()
  ? 'its client is not installed (npm run tools)'
  : process.env['SVC_TEST_REDIS_URL'] || spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : "redis-server is not on the PATH (Debian's redis-server), and SVC_TEST_REDIS_URL is not set";

/** The Redis at `SVC_TEST_REDIS_URL`, or else one that the tests start, in memory and on a socket file. */
export async function openTestRedis(): Promise<TestRedis> {
  const url = process.env['SVC_TEST_REDIS_URL'];
  if (url) return { connection: { url }, [Symbol.asyncDispose]: async () => {} };
  const directory = await mkdtemp(join(tmpdir(), 'svc-redis-'));
  const path = join(directory, 'socket');
  const args = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', directory];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await listening(server);
  return {
    connection: { socket: { path, tls: false } },
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'exit');
      await rm(directory, { recursive: true });
    },
  };
}

async function listening(server: ChildProcess): Promise<void> {
  let log = '';
  for await (const piece of server.stdout ?? []) {
    log += piece;
    if (log.includes('ready to accept connections')) return void server.stdout?.resume();
  }
  throw new Error(`redis-server ended: ${log}`);
}
