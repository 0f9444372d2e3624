// Measures the cost of receivers that never let an attempt end: the time until an attempt is cut off, and the memory
// that the attempts use. Exits with code 1 if a limit is not met.

import { startReceiver } from '@svc/testing';
import { NO_OBSERVER } from '../../src/delivery/observer.ts';
import { createWorld } from './world.ts';

const MIB = 1024 * 1024;
/**
 * The time limit of an attempt (service document, "Limits"). A measured time may differ from the limit by at most the
 * tolerance.
 */
const CUT_OFF_MS = 10_000;
const TOLERANCE_MS = 500;

/** Makes one attempt to every path at the same time. Measures the durations of the attempts and the memory in use. */
async function attemptAll(base: string, paths: readonly string[]) {
  await using world = await createWorld();
  const endpoints: string[] = [];
  for (const path of paths) endpoints.push(await world.addEndpoint(`${base}${path}`));
  await world.enqueue(endpoints, endpoints.length);
  let [shortestMs, longestMs] = [Number.POSITIVE_INFINITY, 0];
  const observer = {
    ...NO_OBSERVER,
    attemptStored: ({ durationMs }: { durationMs: number }) => {
      shortestMs = Math.min(shortestMs, durationMs);
      longestMs = Math.max(longestMs, durationMs);
    },
  };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 50);
  await using engine = await world.startEngine({ observer, concurrency: 2 * paths.length });
  await engine.whenIdle(AbortSignal.timeout(60_000));
  clearInterval(watch);
  return { shortestMs, longestMs, grownMib: (highest - before) / MIB };
}

const receiver = await startReceiver(new URL('./hostile-receiver.ts', import.meta.url));
const kinds = ['endless-body', 'drip', 'endless-head', 'silent'];
await attemptAll(receiver.url, kinds);
const runs = [
  {
    what: '100 endless, dripping and silent receivers',
    paths: Array.from({ length: 100 }, (_, index) => kinds[index % kinds.length] ?? ''),
    // Attempts with an endless body end early, because the body is cut off at the size that the log keeps.
    waitsAlways: false,
    grownMaxMib: 50,
  },
  // Each receiver has a separate connection, which may use 64 KiB.
  {
    what: '2000 hanging receivers',
    paths: new Array<string>(2_000).fill('silent'),
    waitsAlways: true,
    grownMaxMib: 125,
  },
];
for (const { what, paths, waitsAlways, grownMaxMib } of runs) {
  const { shortestMs, longestMs, grownMib } = await attemptAll(receiver.url, paths);
  console.log(
    `${what} at once: the first is cut off after ${shortestMs} ms, the last after ${longestMs} ms; memory grows by ${grownMib.toFixed(1)} MiB`,
  );
  const isOnTime = (ms: number) => Math.abs(ms - CUT_OFF_MS) <= TOLERANCE_MS;
  if (!isOnTime(longestMs) || (waitsAlways && !isOnTime(shortestMs)))
    fail(`they must be cut off after ${CUT_OFF_MS} ms, give or take ${TOLERANCE_MS}`);
  if (grownMib >= grownMaxMib) fail(`memory may grow by less than ${grownMaxMib} MiB`);
}
receiver.stop();

function fail(problem: string): void {
  console.error(`WRONG: ${problem}.`);
  process.exitCode = 1;
}
