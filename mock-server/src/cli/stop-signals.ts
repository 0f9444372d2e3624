import { constants } from 'node:os';

/** Signals within this time count as one. On Ctrl+C under npm, one comes from the terminal, and one from npm. */
const SAME_SIGNAL_MS = 1_000;

/** Calls `stop` on the first signal, and on repeats within `SAME_SIGNAL_MS`. A later signal ends the process. */
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
