import type { TakeResult } from '../../../src/delivery/queue/take-due.ts';
import type { Storage } from '../../../src/storage/port.ts';
import type { World } from './world.ts';

/** A storage that calls `act` once: after the first read that finds due deliveries, before it returns them. */
export function afterTaking({ storage }: World, act: () => Promise<void>): Storage {
  let acted = false;
  return {
    ...storage,
    async read(work) {
      const result = await storage.read(work);
      if (!acted && tookSomething(result)) {
        acted = true;
        await act();
      }
      return result;
    },
    async [Symbol.asyncDispose]() {},
  };
}

function tookSomething(result: unknown): boolean {
  const [found] = Array.isArray(result) ? result : [];
  if (!(found instanceof Object && 'taken' in found)) return false;
  return [...(found as TakeResult).taken.values()].some(({ deliveries }) => deliveries.length > 0);
}
