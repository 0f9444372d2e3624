import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { StartCommand } from '../../config/argv.ts';
import { LINGER_MS } from '../../http/close-server.ts';
import { startServer } from '../../index.ts';
import { createLogger, flushLog } from '../../runtime/logger.ts';
import { print } from '../output/terminal.ts';
import { readyLine, readyText } from './ready.ts';

/**
 * How long startup may continue after a stop signal. After this time, the process exits. Startup can take longer: for
 * example, it waits while another server starts on the same database.
 */
const START_GRACE_MS = 1_000;

/**
 * Runs the server until a signal stops it (exit code 0), or until a newer version has migrated the database (exit code
 * 1). If startup fails, `cli/exit-codes.ts` decides the exit code.
 */
export async function runStart({ config, json }: StartCommand): Promise<void> {
  // Listen for signals before startup, so that no signal is lost.
  const stopped = firstStopSignal();
  const starting = startServer(config);
  const isStarted = await Promise.race([starting.then(() => true), stopped.then(() => delay(START_GRACE_MS, false))]);
  // Do not wait for startup to finish: when the process exits, its connections close, and the database rolls back.
  if (!isStarted) process.exit(0);
  await using server = await starting;
  print(json ? `${readyLine(config, server)}\n` : readyText(config, server));
  void stopped.then((signal) => {
    // Ignore an error of `close`, because `closed` rejects with the same error.
    server.close({ lingerMs: LINGER_MS }).catch(() => {});
    const deliveriesInFlight = server.deliveriesInFlight();
    const text = stoppingText(signal, deliveriesInFlight);
    if (json) createLogger(config.logLevel, config.logFormat).info({ signal, deliveriesInFlight }, text);
    else print(`\n  ${text}\n`);
  });
  const reason = await server.closed;
  await flushLog();
  // Exit explicitly: an interrupted call may still be waiting for a database lock, and would keep the process alive.
  process.exit(reason ? 1 : 0);
}

export type StopSignal = 'SIGINT' | 'SIGTERM';

/**
 * Two signals within this time count as one. On Ctrl+C, the terminal sends a signal to the server and to npm, and npm
 * forwards its signal to the server. So the server gets two signals.
 */
const SAME_SIGNAL_MS = 1_000;

/** Resolves with the first SIGINT or SIGTERM. Another signal, more than a second later, ends the process. */
export function firstStopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const handle = (signal: StopSignal) => {
      firstAt ??= performance.now();
      // Shells report this code for a process that the signal ended.
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
      resolve(signal);
    };
    process.on('SIGINT', handle).on('SIGTERM', handle);
  });
}

/** `close` in `delivery/engine.ts` decides how long the server waits. */
export function stoppingText(signal: StopSignal, deliveriesInFlight: number): string {
  const deliveries = deliveriesInFlight === 1 ? '1 delivery' : `${deliveriesInFlight} deliveries`;
  const waitsFor = deliveriesInFlight === 0 ? '.' : `: finishing ${deliveries} in flight (at most 10 s).`;
  const again = signal === 'SIGINT' ? 'Press Ctrl+C again' : `Send ${signal} again`;
  return `Stopping${waitsFor} ${again} to stop immediately.`;
}
