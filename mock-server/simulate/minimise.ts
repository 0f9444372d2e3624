import type { SimulatedDatabase } from './database.ts';
import type { FaultKind } from './faults.ts';
import { runSeed } from './run.ts';

export async function minimise(
  database: SimulatedDatabase,
  seed: number,
  faults: readonly FaultKind[],
): Promise<readonly FaultKind[]> {
  let needed = faults;
  for (const fault of faults) {
    const fewer = needed.filter((other) => other !== fault);
    if ((await runSeed(database, { seed, faults: fewer })).failure !== undefined) needed = fewer;
  }
  return needed;
}
