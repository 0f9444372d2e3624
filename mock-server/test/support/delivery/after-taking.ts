import type { LaneLook } from '../../../src/delivery/queue/look.ts';
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
  if (!(result instanceof Map)) return false;
  return [...(result as Map<string, LaneLook>).values()].some(({ found }) => found && found.deliveries.length > 0);
}
