import { FORMAT } from '../../transfer/header.ts';
import { UsageError } from '../exit.ts';

/** A size in bytes that is larger than the first and the last line of any export. */
const LINE_BYTES_MAX = 4096;
const LINE_FEED = 10;
const LAST_LINE = /\n\{"end":true,"rows":\d+\}\n$/;

/**
 * Passes through the bytes that a program at `url` sends, if they are a complete export.
 *
 * @throws {@link UsageError} if the first line is not the header of an export, or the last line is missing.
 */
export async function* checkedExport(source: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of source) {
    tail = Buffer.concat([tail, chunk.subarray(-LINE_BYTES_MAX)]).subarray(-LINE_BYTES_MAX);
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (!start.includes(LINE_FEED) && start.length < LINE_BYTES_MAX) continue;
    checkFirstLine(start, url);
    yield start;
    start = undefined;
  }
  if (start !== undefined) checkFirstLine(start, url);
  if (!LAST_LINE.test(tail.toString('latin1'))) {
    throw new UsageError('The export ended before its last line. Nothing was written. Try again.');
  }
}

function checkFirstLine(start: Buffer, url: string): void {
  if (formatOf(start.toString('utf8').split('\n', 1)[0] ?? '') === FORMAT) return;
  throw new UsageError(`The response from ${url} is not an export. Is this the URL of svc-mock?`);
}

function formatOf(line: string): unknown {
  try {
    return Object(JSON.parse(line)).format;
  } catch {
    return undefined;
  }
}
