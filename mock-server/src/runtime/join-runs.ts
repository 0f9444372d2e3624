/**
 * Combines calls: while a run is active, all new calls share one later run, which starts when the active run ends. So
 * each call gets the result of a run that began after the call.
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
