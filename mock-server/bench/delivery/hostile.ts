// What receivers that never let an attempt end cost: time until they are cut off, and memory.
import { startReceiver } from './start-receiver.ts';
import { createWorld } from './world.ts';

const MIB = 1024 * 1024;

/** Makes one attempt to each of these paths at once, and watches memory meanwhile. */
async function attemptAll(base: string, paths: readonly string[]) {
  await using world = await createWorld();
  const endpoints: string[] = [];
  for (const path of paths) endpoints.push(await world.addEndpoint(`${base}${path}`));
  await world.enqueue(endpoints, endpoints.length);
  let longestMs = 0;
  const observer = {
    attemptWritten: ({ durationMs }: { durationMs: number }) => {
      longestMs = Math.max(longestMs, durationMs);
    },
    roundEnded() {},
    endpointDisabled() {},
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
  return { longestMs, grownMib: (highest - before) / MIB };
}

const receiver = await startReceiver('./hostile-receiver.ts');
const kinds = ['endless-body', 'drip', 'endless-head', 'hang'];
await attemptAll(receiver.url, kinds);
const hundred = await attemptAll(
  receiver.url,
  Array.from({ length: 100 }, (_, index) => kinds[index % kinds.length] ?? ''),
);
console.log(
  `100 endless, dripping and silent receivers at once: the last is cut off after ${hundred.longestMs} ms; memory grows by ${hundred.grownMib.toFixed(1)} MiB`,
);
const many = await attemptAll(receiver.url, new Array<string>(2_000).fill('hang'));
console.log(
  `2000 hanging receivers at once: the last is cut off after ${many.longestMs} ms; memory grows by ${many.grownMib.toFixed(1)} MiB`,
);
receiver.stop();
