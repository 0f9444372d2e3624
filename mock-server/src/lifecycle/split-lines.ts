/** The maximum size of a record. It is far larger than any valid profile, even with every character escaped. */
export const RECORD_MAX_BYTES = 1024 * 1024;

/** One line or item of an import. `bytes` is `undefined` if the record is too long. */
export interface RawRecord {
  /** The number of the line. The first line is 1. */
  line: number;
  bytes: Uint8Array | undefined;
}

/** Splits a stream into records, chunk by chunk. */
export interface Splitter {
  /**
   * Yields the records of a chunk, and finds each record only when it is needed. The caller must read all records
   * before the next chunk.
   */
  push(chunk: Uint8Array): Iterable<RawRecord>;
  /** Yields the records that are left at the end of the stream. */
  end(): Iterable<RawRecord>;
}

const NEWLINE = 0x0a;

/** Splits NDJSON into lines. Blank lines are counted but not returned. A line that is too long is skipped. */
export function createLineSplitter(): Splitter {
  let line = 1;
  let rest: Uint8Array[] = [];
  let restBytes = 0;

  function* finish(part: Uint8Array): Iterable<RawRecord> {
    const bytes = restBytes + part.length;
    const whole = rest.length === 0 ? part : Buffer.concat([...rest, part]);
    rest = [];
    restBytes = 0;
    if (bytes > RECORD_MAX_BYTES) yield { line, bytes: undefined };
    else if (!isBlank(whole)) yield { line, bytes: line === 1 ? withoutMark(whole) : whole };
    line++;
  }

  return {
    *push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        yield* finish(chunk.subarray(start, end));
        start = end + 1;
      }
      restBytes += chunk.length - start;
      if (restBytes > RECORD_MAX_BYTES) rest = [];
      else if (start < chunk.length) rest.push(chunk.subarray(start));
    },
    *end() {
      if (restBytes > 0) yield* finish(new Uint8Array());
    },
  };
}

/** Whether a line contains only spaces, tabs and carriage returns. */
const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const MARK = [0xef, 0xbb, 0xbf];

/** Removes the byte order mark that some editors add. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(MARK.length) : bytes;
