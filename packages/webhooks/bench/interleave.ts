/** Something to time; a promise is awaited. */
export type Act = () => unknown;

const ROUNDS = 21;
const BATCH_MS = 12;

/** Times several acts in turns, so that what else the machine does hits all alike. Gives the median of each, in microseconds. */
export async function interleave<Name extends string>(acts: Record<Name, Act>): Promise<Record<Name, number>> {
  const entries = Object.entries(acts) as [Name, Act][];
  const batches = new Map<Name, { size: number; times: number[] }>();
  for (const [name, act] of entries) {
    for (let i = 0; i < 50; i++) await act();
    const [probe] = await timeBatch(act, 50);
    batches.set(name, { size: Math.max(3, Math.round((BATCH_MS * 1000) / probe)), times: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, act] of entries) {
      const batch = batches.get(name);
      if (batch) batch.times.push(...(await timeBatch(act, batch.size)));
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, median(batches.get(name)?.times ?? [])])) as Record<
    Name,
    number
  >;
}

async function timeBatch(act: Act, size: number): Promise<[microseconds: number]> {
  const isAsync = act() instanceof Promise;
  const startedAt = performance.now();
  if (isAsync) for (let i = 0; i < size; i++) await act();
  else for (let i = 0; i < size; i++) act();
  return [((performance.now() - startedAt) * 1000) / size];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
