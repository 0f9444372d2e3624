/** A function to time. A returned promise is awaited. */
export type Act = () => unknown;

const ROUNDS = 21;
const BATCH_MS = 12;

/**
 * Times several functions in turns, so that other work of the machine affects all of them alike. Returns the lower
 * quartile of each one's batches, in microseconds of this process's CPU time: a busy machine makes batches slower,
 * never faster.
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
    // Each round has another order. The next one in line collects the garbage, so nobody may always follow the same
    // one.
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

/** The value below which a given share of the values is. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}
