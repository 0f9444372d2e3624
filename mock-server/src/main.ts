#!/usr/bin/env node
import { createRequire } from 'node:module';
import { CommanderError } from 'commander';
import { failureOf } from './cli/exit-codes.ts';
import { onOutputLost, printError } from './cli/output/terminal.ts';
import { createProgram } from './cli/program.ts';
import type { StartCommand } from './config/argv.ts';
import { redactSecrets } from './domain/credential.ts';
import { visibleLine } from './domain/visible-text.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

let start: StartCommand | undefined;

// If writing to standard output fails, `start` keeps the server running. Any other command exits.
onOutputLost((problem) => {
  if (problem !== undefined) printError(`svc-mock: Cannot write to standard output: ${problem}.\n`);
  if (start) return;
  if (problem !== undefined) process.exitCode = 1;
  // A command that listens for SIGHUP, such as `listen`, cleans up and then ends by itself.
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit();
});

try {
  const program = createProgram(version, process.env, (asked) => {
    start = asked;
  });
  await program.parseAsync();
  // Load the server's code only if the command is `start`.
  if (start) await (await import('./cli/start/run.ts')).runStart(start);
} catch (error) {
  process.exitCode = report(error);
}

/** Prints one line, or the stack if the error is a bug. Returns the exit code. */
function report(error: unknown): number {
  // Commander has already printed the help page or the version.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const failure = failureOf(error);
  const bug = error instanceof Error && error.stack ? error.stack : String(error);
  // Redact secrets: the user may have typed a credential in the wrong place, and terminal output may be recorded.
  printError(`svc-mock: ${redactSecrets(failure ? visibleLine(failure.line) : bug)}\n`);
  return failure?.code ?? 1;
}
