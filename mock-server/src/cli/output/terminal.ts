import { fstatSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inColors } from './style.ts';

// Everything that svc-mock prints passes through this file. No other file of the CLI uses `process.stdout` or
// `process.stderr`.

/**
 * Writes to standard output. Only the colors of `style.ts` have an effect: other control characters are shown as text.
 */
export const print = (text: string): void => write(process.stdout, text);

export const printError = (text: string): void => write(process.stderr, text);

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text !== '') stream.write(inColors(text));
}

/** Whether a file that a command writes is standard output: `-`, or a path such as `/dev/stdout`. */
export function isStandardOutput(file: string): boolean {
  if (file === '-') return true;
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return false;
  const stdout = fstatSync(process.stdout.fd);
  return found.dev === stdout.dev && found.ino === stdout.ino;
}

/** Writes bytes to standard output as they are, even if standard output is a file to which the shell appends. */
export const writeToStandardOutput = (bytes: AsyncIterable<string | Uint8Array>): Promise<void> =>
  pipeline(Readable.from(bytes), process.stdout, { end: false });

/** Whether standard output and standard error are terminals, and the width of the terminal. */
export const terminal = () => {
  const { stdout, stderr } = process;
  return {
    isTTY: stdout.isTTY === true,
    bothAreTTY: stdout.isTTY === true && stderr.isTTY === true,
    // A file or a pipe has no width, so the width is not limited.
    columns: stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY,
  };
};

/** The stream for libraries that move the cursor. Pass to these libraries only text that `visibleLine` has returned. */
export const drawingStream = (): NodeJS.WriteStream => process.stderr;

/**
 * Calls `callback` once when standard output cannot be written any more. `problem` says why, such as a full disk.
 * `problem` is undefined if the program that reads the output has stopped, as `head` does.
 */
export function onOutputLost(callback: (problem: string | undefined) => void): void {
  let isLost = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (isLost) return;
    isLost = true;
    // Remove the code and the system call from Node's message, such as `ENOSPC: no space left on device, write`.
    callback(code === 'EPIPE' ? undefined : message.replaceAll(/^\w+: |, \w+$/g, ''));
  });
}
