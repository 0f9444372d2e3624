import { createReadStream } from 'node:fs';
import { printError } from './print.ts';
import { UsageError } from './usage-error.ts';

/**
 * The maximum size of an input. There is a limit, because an input may be endless. A browser's HAR file contains many
 * requests, so this limit is far larger than the limit of a body.
 */
const INPUT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file, or standard input if the name is `-`.
 *
 * @throws an error with the name `UsageError` if the file cannot be read, or if the input is larger than 64 MiB.
 */
export async function readInput(file: string): Promise<Buffer> {
  if (file === '-' && process.stdin.isTTY) printError('Reading from standard input; press Ctrl-D to finish.\n');
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of file === '-' ? process.stdin : createReadStream(file)) {
      bytes += piece.length;
      if (bytes > INPUT_MAX_BYTES) throw new RangeError('the input has more than 64 MiB.');
      pieces.push(piece);
    }
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
  return Buffer.concat(pieces);
}
