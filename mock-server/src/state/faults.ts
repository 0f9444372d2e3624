import { concerns, type Fault, type FaultSubject, isUsedUp } from '../domain/fault.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createTaskQueue } from '../runtime/task-queue.ts';
import { addFault, passFaults, removeFault } from '../storage/changes/faults.ts';
import type { Storage } from '../storage/port.ts';
import { deleteSetting, findSetting } from '../storage/statements/settings.ts';

export type Faults = Awaited<ReturnType<typeof loadFaults>>;

interface FaultsOptions {
  storage: Storage;
  metrics: Pick<Metrics, 'faultInjected'>;
  /** Tells the other nodes that the faults have changed. Undefined if the server cannot have other nodes. */
  announce: (() => Promise<void>) | undefined;
  changed(): void;
  /** Whether new ids are the same in two runs. Attempts to several endpoints can start in a different order. */
  hasSameIds(): boolean;
}

/** All nodes share the faults and their counts, which are in the database. Without a matching fault, no query runs. */
export async function loadFaults({ storage, metrics, announce, changed, hasSameIds }: FaultsOptions) {
  let known: readonly Fault[] = [];
  const reload = async () => {
    known = (await storage.read((queries) => findSetting(queries, 'faults'))) ?? [];
  };
  await reload();

  // Handle one call at a time, so that faults apply in the order of the calls on this server. The database might run
  // parallel transactions in a different order.
  const inOrder = createTaskQueue();

  async function draw(subject: FaultSubject): Promise<Fault | undefined> {
    const drawKey = hasSameIds() && subject.target === 'delivery' ? `${subject.id}:${subject.attempt}` : undefined;
    const passing = await storage.write((queries) => passFaults(queries, subject, drawKey));
    known = passing.faults;
    if (known.length > 0) changed();
    if (passing.struck) metrics.faultInjected(passing.struck.target);
    return passing.struck;
  }

  async function tell(): Promise<void> {
    changed();
    await announce?.();
  }

  return {
    reload,
    async list(): Promise<readonly Fault[]> {
      await reload();
      return known;
    },
    async add(fault: Fault): Promise<void> {
      known = await storage.write((queries) => addFault(queries, fault));
      await tell();
    },
    async clear(): Promise<void> {
      await storage.write((queries) => deleteSetting(queries, 'faults'));
      known = [];
      await tell();
    },
    async remove(id: string): Promise<boolean> {
      const { removed, left } = await storage.write((queries) => removeFault(queries, id));
      known = left;
      if (removed) await tell();
      return removed;
    },
    mayStrike: (target: Fault['target']) => known.some((fault) => fault.target === target && !isUsedUp(fault)),
    /** Returns the fault that applies to the subject, and updates the counts of the faults. */
    async take(subject: FaultSubject): Promise<Fault | undefined> {
      return known.some((fault) => concerns(fault, subject)) ? await inOrder(() => draw(subject)) : undefined;
    },
  };
}
