import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a receiver in a separate process. */
export async function startReceiver(file = './receiver.ts', ...argv: string[]): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL(file, import.meta.url), argv);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}
