/** Far longer than any profile, even with every character escaped. */
export const RECORD_MAX_BYTES = 1024 * 1024;

/** One line or item of an import. `bytes` is undefined if it is too long to read. */
export interface RawRecord {
  /** Starts at 1. */
  line: number;
  bytes: Uint8Array | undefined;
}

/** Splits a stream into records, chunk by chunk. */
export interface Splitter {
  /** Finds each record when it is asked for. All of them must be taken before the next chunk. */
  push(chunk: Uint8Array): Iterable<RawRecord>;
  /** The records that are left at the end of the stream. */
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

/** Space, tab and carriage return. */
const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const MARK = [0xef, 0xbb, 0xbf];

/** Removes the byte order mark that some editors add. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(MARK.length) : bytes;
