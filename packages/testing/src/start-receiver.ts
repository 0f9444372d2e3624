import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a receiver in its own process. `file` is the receiver's program, which sends its port to this process. */
export async function startReceiver(
  file: URL = new URL('./receiver.ts', import.meta.url),
  ...argv: string[]
): Promise<{ url: string; stop(): void }> {
  const child = fork(file, argv);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}
