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
  push(chunk: Uint8Array): RawRecord[];
  /** The records that are left at the end of the stream. */
  end(): RawRecord[];
}

const NEWLINE = 0x0a;

/** Splits NDJSON into lines. Blank lines are counted but not returned. A line that is too long is skipped. */
export function createLineSplitter(): Splitter {
  let line = 1;
  let rest: Uint8Array[] = [];
  let restBytes = 0;

  function finish(part: Uint8Array, into: RawRecord[]): void {
    const bytes = restBytes + part.length;
    const whole = rest.length === 0 ? part : Buffer.concat([...rest, part]);
    rest = [];
    restBytes = 0;
    if (bytes > RECORD_MAX_BYTES) into.push({ line, bytes: undefined });
    else if (!isBlank(whole)) into.push({ line, bytes: line === 1 ? withoutMark(whole) : whole });
    line++;
  }

  return {
    push(chunk) {
      const records: RawRecord[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        finish(chunk.subarray(start, end), records);
        start = end + 1;
      }
      restBytes += chunk.length - start;
      if (restBytes > RECORD_MAX_BYTES) rest = [];
      else if (start < chunk.length) rest.push(chunk.subarray(start));
      return records;
    },
    end() {
      const records: RawRecord[] = [];
      if (restBytes > 0) finish(new Uint8Array(), records);
      return records;
    },
  };
}

/** Space, tab and carriage return. */
const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const MARK = [0xef, 0xbb, 0xbf];

/** Removes the byte order mark that some editors add. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(MARK.length) : bytes;
