/** A lock within the process, had by one at a time in the order of asking. */
export interface Lock {
  /** Resolves once the caller has it. */
  acquire(): Promise<void>;
  release(): void;
}

export function createLock(): Lock {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    acquire() {
      if (taken) return new Promise((resolve) => waiting.push(resolve));
      taken = true;
      return Promise.resolve();
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else taken = false;
    },
  };
}
