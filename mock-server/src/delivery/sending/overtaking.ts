/** Makes attempts wait until another attempt to the same endpoint has ended. */
export function createOvertaking() {
  const waiting = new Map<string, Set<() => void>>();
  return {
    isNobodyWaiting: () => waiting.size === 0,

    /** Resolves when another attempt to the endpoint has ended, or after `withinMs` of real time. */
    overtaken(endpointId: string, withinMs: number): Promise<void> {
      return new Promise((resolve) => {
        const own = waiting.get(endpointId) ?? new Set();
        const done = () => {
          clearTimeout(timer);
          own.delete(done);
          if (own.size === 0) waiting.delete(endpointId);
          resolve();
        };
        const timer = setTimeout(done, withinMs);
        waiting.set(endpointId, own.add(done));
      });
    },

    /** An attempt to the endpoint has ended. */
    gone(endpointId: string): void {
      for (const done of [...(waiting.get(endpointId) ?? [])]) done();
    },
  };
}
