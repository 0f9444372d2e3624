/** Runs tasks one at a time, in the order in which they arrive, even if a task fails. */
export function createTaskQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}
