import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { orUsageError, UsageError } from './exit-codes.ts';

/**
 * Writes a file, gzipped if its name ends in `.gz`. The file appears only when it is complete, unless it is a device or
 * a pipe. If the path is a link to a file, the file is replaced, not the link.
 */
export async function writeExport(file: string, source: AsyncIterable<string | Uint8Array>): Promise<void> {
  let draft: string | undefined;
  const removeDraft = () => draft !== undefined && rmSync(draft, { force: true });
  using _ = onStop(removeDraft);
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new UsageError(`Cannot write ${file}: it is a folder. Pass a file name.`);
    const isDirect = found !== undefined && !found.isFile();
    const target = found?.isFile() ? realpathSync(file) : file;
    // The name is random, so that another user cannot create the file first and make the export fail.
    draft = isDirect ? undefined : `${target}.${randomUUID()}.part`;
    const path = draft ?? target;
    const stream = createWriteStream(path, { fd: openSync(path, isDirect ? 'w' : 'wx', 0o600) });
    const readable = Readable.from(source);
    if (file.endsWith('.gz')) await pipeline(readable, createGzip(), stream);
    else await pipeline(readable, stream);
    if (draft !== undefined) renameSync(draft, target);
  } catch (error) {
    removeDraft();
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined || code === 'ECONNREFUSED') throw error;
    throw new UsageError(`Cannot write ${file}: ${message}`, { cause: error });
  }
}

/** Calls `cleanUp` if Ctrl+C or SIGTERM ends the process before the returned object is disposed of. */
function onStop(cleanUp: () => void): Disposable {
  const stop = (signal: NodeJS.Signals) => {
    cleanUp();
    process.kill(process.pid, signal);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return { [Symbol.dispose]: () => void process.off('SIGINT', stop).off('SIGTERM', stop) };
}

/** Reads a file, or standard input for `-`. `size` and `readBytes` count the bytes of the file before unzipping. */
export function readExport(file: string) {
  const descriptor = orUsageError(`Cannot read ${file}`, () => (file === '-' ? 0 : openSync(file, 'r')));
  const found = fstatSync(descriptor);
  if (found.isDirectory()) throw new UsageError(`Cannot read ${file}: it is a folder. Pass an export file.`);
  const stream = createReadStream(file, { fd: descriptor });
  const bytes: AsyncIterable<Uint8Array> = file.endsWith('.gz') ? unzipped(stream, file) : stream;
  return { bytes, size: found.size, readBytes: () => stream.bytesRead };
}

async function* unzipped(stream: Readable, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream.pipe(createGunzip()) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new UsageError(`${file} is truncated or is not gzip: ${(cause as Error).message}`, { cause });
  }
}
