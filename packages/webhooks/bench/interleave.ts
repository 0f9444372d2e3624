/** A function whose time is measured. If the function returns a promise, the next call waits for the promise. */
export type Act = () => unknown;

const ROUNDS = 21;
const BATCH_MS = 12;

/**
 * Times several functions in turn, so that other work on the machine affects all of them equally. Returns the lower
 * quartile of each function's batches, because other work can make a batch slower but never faster. The unit is
 * microseconds of this process's CPU time.
 */
export async function interleave<Name extends string>(acts: Record<Name, Act>): Promise<Record<Name, number>> {
  const entries = Object.entries(acts) as [Name, Act][];
  const batches = new Map<Name, { size: number; times: number[] }>();
  for (const [name, act] of entries) {
    for (let i = 0; i < 50; i++) await act();
    const [probe] = await timeBatch(act, 50);
    batches.set(name, { size: Math.max(3, Math.round((BATCH_MS * 1000) / probe)), times: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    // The order changes in each round, because a function may have to collect the garbage of the previous function.
    for (const [name, act] of shuffled(entries)) {
      const batch = batches.get(name);
      if (batch) batch.times.push(...(await timeBatch(act, batch.size)));
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, quantile(batches.get(name)?.times ?? [], 0.25)])) as Record<
    Name,
    number
  >;
}

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);

async function timeBatch(act: Act, size: number): Promise<[microseconds: number]> {
  const isAsync = act() instanceof Promise;
  const before = process.cpuUsage();
  if (isAsync) for (let i = 0; i < size; i++) await act();
  else for (let i = 0; i < size; i++) act();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / size];
}

/** Returns a quantile of the values, for example the median if `part` is 0.5, or the lower quartile if it is 0.25. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}
