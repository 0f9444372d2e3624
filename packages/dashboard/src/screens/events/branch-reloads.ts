import type { ChangesMessage } from '@svc/contract/control/types';
import { createPace } from '../../data/refresh-interval.ts';

/** After a change, reloads the branches of an event's tree, one after another. */
export interface BranchReloads {
  /** Reloads each branch once. */
  ask(changed: ChangesMessage): void;
  stop(): void;
}

/**
 * Reloads each branch once. Starts at most one reload a second, because a branch makes three requests, and the page
 * should make at most three requests a second.
 *
 * @param branches - Returns the ids of the current branches.
 */
export function createBranchReloads(branches: () => Iterable<string>, reload: (id: string) => void): BranchReloads {
  let waiting: string[] = [];
  let lastAt = 0;
  const pace = createPace(
    () => {
      lastAt = Date.now();
      const id = waiting.shift();
      if (id !== undefined) reload(id);
      if (waiting.length > 0) pace.ask();
    },
    () => lastAt,
  );
  return {
    ask(changed) {
      // A branch that has already been reloaded waits until the other branches have been reloaded.
      waiting = [...new Set([...waiting, ...branches()])];
      pace.ask(changed);
    },
    stop: pace.stop,
  };
}
