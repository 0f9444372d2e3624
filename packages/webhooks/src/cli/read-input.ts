import { readFile } from 'node:fs/promises';
import { printError } from './print.ts';
import { UsageError } from './usage-error.ts';

/** Reads a file, or standard input if the name is `-`. */
export async function readInput(file: string): Promise<Buffer> {
  try {
    if (file !== '-') return await readFile(file);
    if (process.stdin.isTTY) printError('Reading from standard input; press Ctrl-D to finish.\n');
    const pieces: Buffer[] = [];
    for await (const piece of process.stdin) pieces.push(piece);
    return Buffer.concat(pieces);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
