import { fstatSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { visibleText } from '../../domain/visible-text.ts';
import { inColors } from './style.ts';

// Only this file of the CLI uses `process.stdout` and `process.stderr`.

export const print = (text: string): void => write(process.stdout, text);

export const printError = (text: string): void => write(process.stderr, text);

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text !== '') stream.write(inColors(text));
}

/** Whether a file is standard output: `-`, or a path such as `/dev/stdout`. */
export function isStandardOutput(file: string): boolean {
  if (file === '-') return true;
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return false;
  const stdout = fstatSync(process.stdout.fd);
  return found.dev === stdout.dev && found.ino === stdout.ino;
}

/**
 * Writes to the stream that is already open: if the shell appends the output to a file (`>>`), opening a path such as
 * `/dev/stdout` would overwrite the file. In a terminal, shows unsafe characters as JSON escapes.
 */
export const writeToStandardOutput = (lines: AsyncIterable<string>): Promise<void> =>
  pipeline(Readable.from(process.stdout.isTTY ? visible(lines) : lines), process.stdout, { end: false });

async function* visible(lines: AsyncIterable<string>) {
  for await (const line of lines) yield visibleText(line);
}

export const terminal = () => {
  const { stdout, stderr } = process;
  return {
    isTTY: stdout.isTTY === true,
    bothAreTTY: stdout.isTTY === true && stderr.isTTY === true,
    columns: stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY,
  };
};

/** Returns a stream for libraries that move the cursor. Pass these libraries only text that `visibleLine` returned. */
export const drawingStream = (): NodeJS.WriteStream => process.stderr;

/** `problem` is `undefined` if the program that reads the output, such as `head`, has closed the pipe. */
export function onOutputLost(callback: (problem: string | undefined) => void): void {
  let isLost = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (isLost) return;
    isLost = true;
    // Node's message looks like `ENOSPC: no space left on device, write`.
    callback(code === 'EPIPE' ? undefined : message.replaceAll(/^\w+: |, \w+$/g, ''));
  });
}
