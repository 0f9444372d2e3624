import { constants } from 'node:os';

/** The signals that stop the server. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/**
 * How long repeated signals count as one. On Ctrl+C, the terminal signals both the server and npm, and npm forwards its
 * signal to the server. So one key press arrives twice.
 */
const SAME_SIGNAL_MS = 1_000;

/** Resolves with the first signal. Another signal more than a second later ends the process immediately. */
export function firstStopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const handle = (signal: StopSignal) => {
      firstAt ??= performance.now();
      // The exit code that shells report for a process that this signal ended.
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
      resolve(signal);
    };
    process.on('SIGINT', handle).on('SIGTERM', handle);
  });
}
