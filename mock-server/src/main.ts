#!/usr/bin/env node
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgv } from './config/argv.ts';
import { ConfigError, startServer } from './index.ts';
import { readyLine, readyText } from './ready.ts';
import { StorageUnavailableError } from './storage/port.ts';

/**
 * The time in which a client that was just answered has sent its next request, or sends none, and in which one that has
 * not heard of the end is answered 503 and not met with a closed port.
 */
const LINGER_MS = 500;

/** A start that a signal meets may end in this time, and is given up then: it may be waiting for another server's. */
const START_GRACE_MS = 1_000;

/** 2: the server was told something that it cannot do. 1: it failed. */
async function main(): Promise<number> {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  const command = parseArgv(process.argv.slice(2), process.env, version);
  if (!command) return 0;
  // Listened for before the start, so that a signal during it is not lost.
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  const starting = startServer(command.config);
  const isStarted = await Promise.race([starting.then(() => true), stopped.then(() => delay(START_GRACE_MS, false))]);
  // What it waits for may take as long as it likes; what it began is rolled back with its connections.
  if (!isStarted) process.exit(0);
  await using server = await starting;
  process.stdout.write(command.json ? `${readyLine(command.config, server)}\n` : readyText(command.config, server));
  await stopped;
  await server.close({ lingerMs: LINGER_MS });
  // A call that was cut may still wait for its turn among the servers on the database.
  process.exit(0);
}

try {
  process.exitCode = await main();
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof StorageUnavailableError;
  process.stderr.write(`svc-mock: ${expected ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exitCode = expected ? 2 : 1;
}
