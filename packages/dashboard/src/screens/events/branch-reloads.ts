import type { ChangesMessage } from '@svc/contract/control/types';
import { createPace } from '../../data/refresh-interval.ts';

export interface BranchReloads {
  ask(changed: ChangesMessage): void;
  stop(): void;
}

/** After a change, reloads each branch once, at most one branch a second, because a branch takes three requests. */
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
      // A branch that was just reloaded goes to the end of the queue.
      waiting = [...new Set([...waiting, ...branches()])];
      pace.ask(changed);
    },
    stop: pace.stop,
  };
}
