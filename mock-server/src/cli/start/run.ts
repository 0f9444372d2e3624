import { setTimeout as delay } from 'node:timers/promises';
import type { StartCommand } from '../../config/argv.ts';
import { LINGER_MS } from '../../http/close-server.ts';
import { startServer } from '../../index.ts';
import { createLogger, flushLog } from '../../runtime/logger.ts';
import { print } from '../output/terminal.ts';
import { readyLine, readyText } from './ready.ts';
import { firstStopSignal, type StopSignal } from './stop-signal.ts';
import { stoppingText } from './stopping-text.ts';

/**
 * How long a start may continue after a signal. The start may be waiting for another server to start, so it is
 * abandoned after this time.
 */
const START_GRACE_MS = 1_000;

/** Runs the server until a signal stops it. The exit code is 1 if the server is too old for its database. */
export async function runStart(command: StartCommand): Promise<void> {
  // Listen before the start, so that a signal during the start is not lost.
  const stopped = firstStopSignal();
  const starting = startServer(command.config);
  const isStarted = await Promise.race([starting.then(() => true), stopped.then(() => delay(START_GRACE_MS, false))]);
  // Exit without waiting, because the database rolls back an unfinished start when its connections end.
  if (!isStarted) process.exit(0);
  await using server = await starting;
  print(command.json ? `${readyLine(command.config, server)}\n` : readyText(command.config, server));
  void stopped.then((signal) => {
    // Ignore the error here, because `closed` rejects with it.
    server.close({ lingerMs: LINGER_MS }).catch(() => {});
    announceStop(command, signal, server.deliveriesInFlight());
  });
  const reason = await server.closed;
  await flushLog();
  // Do not wait for a call that was cut off but still waits for its lock on the database.
  process.exit(reason ? 1 : 0);
}

/** Programs read the log. People read the terminal. */
function announceStop({ config, json }: StartCommand, signal: StopSignal, deliveriesInFlight: number): void {
  const text = stoppingText(signal, deliveriesInFlight);
  if (json) createLogger(config.logLevel, config.logFormat).info({ signal, deliveriesInFlight }, text);
  else print(`\n  ${text}\n`);
}
