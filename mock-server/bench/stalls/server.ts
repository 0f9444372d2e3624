import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the server of a checkout from its sources, in a separate process. */
export async function startServerOn(
  checkout: string,
  dataDir: string,
  options: readonly string[],
): Promise<{ url: string } & AsyncDisposable> {
  const argv = [
    join(checkout, 'src/main.ts'),
    '--port',
    '0',
    '--json',
    '--no-rate-limit',
    '--data',
    dataDir,
    ...options,
  ];
  const env = { ...process.env, SVC_LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (typeof line !== 'string') throw new Error(`The server did not start. Its exit code is ${line}.`);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
