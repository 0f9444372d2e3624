import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

/** The packed server in a separate process. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  port: string;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export async function startProcess(options: readonly string[]): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [join(inject('packedServer'), 'bin/svc-mock.js'), 'start', '--json', ...options],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code]) =>
    Promise.reject(new Error(`The server ended with ${code}:\n${said}`)),
  );
  ended.catch(() => {});
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const kill = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return { url, port: new URL(url).port, kill, [Symbol.asyncDispose]: () => kill('SIGTERM') };
}
