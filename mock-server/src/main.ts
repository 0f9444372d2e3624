#!/usr/bin/env node
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgv, type StartCommand } from './config/argv.ts';
import { LINGER_MS } from './http/close-server.ts';
import { ConfigError, startServer } from './index.ts';
import { readyLine, readyText } from './ready.ts';
import { createLogger } from './runtime/logger.ts';
import { firstStopSignal, type StopSignal } from './stop-signal.ts';
import { stoppingText } from './stopping-text.ts';
import { StorageUnavailableError } from './storage/port.ts';

/** How long a start may go on after a signal. It may be waiting for the start of another server, so it is then given up. */
const START_GRACE_MS = 1_000;

/** Commands that talk to a running server. They are loaded only if they are used. */
const SERVER_COMMANDS = new Set(['profiles', 'evaluate']);

/** Exit code 2: the server refused to start. 1: it failed, or stopped because it is too old for its database. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  if (SERVER_COMMANDS.has(argv[0] ?? '')) {
    const { runServerCommand } = await import('./cli/run-command.ts');
    return await runServerCommand(argv);
  }
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  const command = parseArgv(argv, process.env, version);
  if (!command) return 0;
  // Before the start, so that a signal during the start is not lost.
  const stopped = firstStopSignal();
  const starting = startServer(command.config);
  const isStarted = await Promise.race([starting.then(() => true), stopped.then(() => delay(START_GRACE_MS, false))]);
  // What the start has begun is rolled back when its connections end.
  if (!isStarted) process.exit(0);
  await using server = await starting;
  process.stdout.write(command.json ? `${readyLine(command.config, server)}\n` : readyText(command.config, server));
  void stopped.then((signal) => {
    // `closed` has the error.
    server.close({ lingerMs: LINGER_MS }).catch(() => {});
    announceStop(command, signal, server.deliveriesInFlight());
  });
  const reason = await server.closed;
  // A call that was cut may still wait for its turn among the servers on the database.
  process.exit(reason ? 1 : 0);
}

/** Programs read the log; people read the terminal. */
function announceStop({ config, json }: StartCommand, signal: StopSignal, deliveriesInFlight: number): void {
  const text = stoppingText(signal, deliveriesInFlight);
  if (json) createLogger(config.logLevel, config.logFormat).info({ signal, deliveriesInFlight }, text);
  else process.stdout.write(`\n  ${text}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof StorageUnavailableError;
  process.stderr.write(`svc-mock: ${expected ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exitCode = expected ? 2 : 1;
}
