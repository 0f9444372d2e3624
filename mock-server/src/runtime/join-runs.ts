/**
 * Combines calls: at most one run is active, and at most one more run waits until the active run ends. All calls during
 * the active run share the waiting run. So each call resolves with the result of a run that began after the call.
 */
export function joinRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined;
  let waiting: Promise<Result> | undefined;

  async function begin(): Promise<Result> {
    waiting = undefined;
    try {
      return await run();
    } finally {
      underWay = waiting;
    }
  }

  return () => {
    if (underWay) waiting ??= underWay.then(begin, begin);
    else underWay = begin();
    return waiting ?? underWay;
  };
}
