import { fork } from 'node:child_process';
import { once } from 'node:events';

/** How long calls waited for a response, in milliseconds. */
export interface Waits {
  count: number;
  p50: number;
  p99: number;
  p999: number;
  max: number;
}

/** Calls `GET /v1/me` at a fixed rate, from a separate process. */
export async function measureWaits(url: string, credential: string, seconds: number): Promise<Waits> {
  const child = fork(new URL('./ask-me.ts', import.meta.url), [url, credential, String(seconds)]);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The calls of GET /v1/me ended with exit code ${code}.`);
  });
  const [times] = (await Promise.race([once(child, 'message'), failed])) as [number[]];
  failed.catch(() => {});
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}
