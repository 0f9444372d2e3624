import { setTimeout as delay } from 'node:timers/promises';
import type { StartCommand } from '../../config/argv.ts';
import { LINGER_MS } from '../../http/connections.ts';
import { startServer } from '../../index.ts';
import { createLogger, flushLog } from '../../runtime/logger.ts';
import { print } from '../output/terminal.ts';
import { onStopSignal } from '../stop-signals.ts';
import { readyLine, readyText } from './ready.ts';

/** How long startup may continue after a stop signal. Startup may have to wait for other servers on the database. */
const START_GRACE_MS = 1_000;

/** The exit code is 0 after a stop signal, and 1 after a newer version has migrated the database. */
export async function runStart({ config, json }: StartCommand): Promise<void> {
  // Listen for signals before the start, so that no signal is lost.
  const stopped = new Promise<StopSignal>((resolve) => onStopSignal(['SIGINT', 'SIGTERM'], resolve));
  const starting = startServer(config);
  const isStarted = await Promise.race([starting.then(() => true), stopped.then(() => delay(START_GRACE_MS, false))]);
  // When the process exits, its connections close, and the database rolls back the open transactions.
  if (!isStarted) process.exit(0);
  await using server = await starting;
  print(json ? `${readyLine(config, server)}\n` : readyText(config, server));
  void stopped.then((signal) => {
    // Ignore an error from `close`, because `closed` rejects with the same error.
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

type StopSignal = 'SIGINT' | 'SIGTERM';

export function stoppingText(signal: StopSignal, deliveriesInFlight: number): string {
  const deliveries = deliveriesInFlight === 1 ? '1 delivery' : `${deliveriesInFlight} deliveries`;
  const waitsFor = deliveriesInFlight === 0 ? '.' : `: finishing ${deliveries} in flight (at most 10 s).`;
  const again = signal === 'SIGINT' ? 'Press Ctrl+C again' : `Send ${signal} again`;
  return `Stopping${waitsFor} ${again} to stop immediately.`;
}
