import { constants } from 'node:os';

/** Signals within this time count as one. After Ctrl+C under npm, the terminal and npm each send a signal. */
const SAME_SIGNAL_MS = 1_000;

/** Calls `stop` for the first signal, and for each repeat within `SAME_SIGNAL_MS`. A later signal ends the process. */
export function onStopSignal<Name extends NodeJS.Signals>(names: readonly Name[], stop: (name: Name) => void): void {
  let firstAt: number | undefined;
  for (const name of names) {
    process.on(name, () => {
      firstAt ??= performance.now();
      // Shells report this code for a process that was killed by this signal.
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[name]);
      stop(name);
    });
  }
}
