import type { ChangesMessage } from '@svc/contract/control/types';
import { createPace } from '../../data/refresh-interval.ts';

/** After a change, reloads the branches of an event's tree, one after another. */
export interface Turns {
  /** Gives each branch a turn to reload. */
  ask(changed: ChangesMessage): void;
  stop(): void;
}

/**
 * Gives each branch one turn to reload. Starts at most one turn a second, because a branch makes three requests, and
 * the page should make at most three requests a second.
 *
 * @param branches - Returns the ids of the current branches.
 */
export function createTurns(branches: () => Iterable<string>, reload: (id: string) => void): Turns {
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
      // A branch that has already had its turn waits until the other branches have had their turns.
      waiting = [...new Set([...waiting, ...branches()])];
      pace.ask(changed);
    },
    stop: pace.stop,
  };
}
