import { constants } from 'node:os';

/** The signals that stop the server. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/**
 * How long further signals count as the first one. On Ctrl+C, the terminal signals both the server and npm, and npm
 * forwards the signal. So one key press arrives twice.
 */
const SAME_SIGNAL_MS = 1_000;

/** Resolves with the first signal. A signal more than a second later ends the process at once. */
export function firstStopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const handle = (signal: StopSignal) => {
      firstAt ??= performance.now();
      // The exit code that shells report for a process ended by this signal.
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
      resolve(signal);
    };
    process.on('SIGINT', handle).on('SIGTERM', handle);
  });
}
