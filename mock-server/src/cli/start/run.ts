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
 * How long startup may continue after a stop signal. After this time, it is abandoned, because it may be waiting for
 * another server to start.
 */
const START_GRACE_MS = 1_000;

/** Runs the server until a signal stops it. The exit code is 1 if the server is too old for its database. */
export async function runStart(command: StartCommand): Promise<void> {
  // Listen for signals before startup, so that no signal is lost during startup.
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
  // Exit without waiting for a call that was cut off but is still waiting for a database lock.
  process.exit(reason ? 1 : 0);
}

/** With `--json`, logs the message for programs. Otherwise, prints the message in the terminal. */
function announceStop({ config, json }: StartCommand, signal: StopSignal, deliveriesInFlight: number): void {
  const text = stoppingText(signal, deliveriesInFlight);
  if (json) createLogger(config.logLevel, config.logFormat).info({ signal, deliveriesInFlight }, text);
  else print(`\n  ${text}\n`);
}
