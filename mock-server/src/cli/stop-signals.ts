import { constants } from 'node:os';

/** On Ctrl+C, a process gets two signals if npm runs it: one from the terminal, and one that npm forwards. */
const SAME_SIGNAL_MS = 1_000;

/** Calls `stop` on the first of these signals, perhaps several times. A later signal ends the process. */
export function onStopSignal<Name extends NodeJS.Signals>(names: readonly Name[], stop: (name: Name) => void): void {
  let firstAt: number | undefined;
  for (const name of names) {
    process.on(name, () => {
      firstAt ??= performance.now();
      // Shells report this code for a process that the signal ended.
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[name]);
      stop(name);
    });
  }
}
