/** A signal that aborts on Ctrl+C or SIGTERM. The second one ends the process at once. */
export function onceStopped(): AbortSignal {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
    controller.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}
