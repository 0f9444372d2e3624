import { type Contestant, startContestant } from './contestant.ts';
import type { Load } from './delivery-jobs.ts';
import type { Measured } from './job.ts';

/**
 * Starts a new process, and returns the result of its third run. The first two runs do not count: V8 compiles the code
 * during these runs.
 */
export async function runWarm(file: string, run: (contestant: Contestant) => Promise<Measured>): Promise<Measured> {
  await using contestant = startContestant(file);
  await run(contestant);
  await run(contestant);
  return await run(contestant);
}

const CONNECTIONS = [32, 64, 128, 256, 512, 768];

/** Finds the number of connections with which the bare loop is fastest. */
export async function findBestConnections(load: Load): Promise<number> {
  let best = { connections: 0, rate: 0 };
  for (const connections of CONNECTIONS) {
    const { rate } = await runWarm('bare-loop.ts', (contestant) => contestant.run({ ...load, connections }));
    console.log(`bare loop, ${connections} connections: ${Math.round(rate)}/s`);
    if (rate > best.rate) best = { connections, rate };
  }
  return best.connections;
}
