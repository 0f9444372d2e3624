import { ImportError } from '../domain/profiles/profile-import.ts';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';

/** The maximum size of a record. Every valid profile is far smaller, even if each of its characters is escaped. */
export const RECORD_MAX_BYTES = 1024 * 1024;

export interface RawRecord {
  /** The number of the line or item, counted from 1. */
  line: number;
  bytes: Uint8Array | undefined;
}

interface Splitter {
  /** Finds each record only when the caller asks for it. Read all records before pushing the next chunk. */
  push(chunk: Uint8Array): Iterable<RawRecord>;
  end(): Iterable<RawRecord>;
}

const NEWLINE = 0x0a;

/** Blank lines are counted but not returned. Overlong lines are returned without `bytes`. */
export function createLineSplitter(): Splitter {
  let line = 1;
  const begun = createRecord();

  function* finish(part: Uint8Array): Iterable<RawRecord> {
    begun.add(part);
    const bytes = begun.take();
    if (bytes === undefined || !isBlank(bytes)) yield { line, bytes: line === 1 && bytes ? withoutMark(bytes) : bytes };
    line++;
  }

  return {
    *push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        yield* finish(chunk.subarray(start, end));
        start = end + 1;
      }
      begun.add(chunk.subarray(start));
    },
    *end() {
      if (!begun.isEmpty()) yield* finish(new Uint8Array());
    },
  };
}

const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const MARK = [0xef, 0xbb, 0xbf];

/** Removes the byte order mark that some editors add. */
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(MARK.length) : bytes;

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [...Buffer.from('"\\,[]{}')];
const SPACES = new Set(Buffer.from(' \t\r\n'));

/**
 * Finds the items of a JSON array by their brackets and quotes. The JSON parser checks the items later.
 *
 * @throws {@link ImportError} if the stream is not exactly one array.
 */
export function createArraySplitter(): Splitter {
  let place: 'before' | 'opened' | 'inside' | 'after' = 'before';
  let isFirstChunk = true;
  let items = 0;
  const endsBefore = createItemEnd();
  const item = createRecord();

  return {
    *push(given) {
      const chunk = isFirstChunk ? withoutMark(given) : given;
      isFirstChunk = false;
      let start = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        if (place !== 'inside') {
          if (SPACES.has(byte)) continue;
          if (place === 'after') throw new ImportError('The data continues after the end of the JSON array.');
          if (place === 'before') {
            if (byte !== OPEN) throw new ImportError('The data must be a JSON array of profiles.');
            place = 'opened';
            continue;
          }
          place = byte === CLOSE ? 'after' : 'inside';
          start = at;
        }
        if (place === 'inside' && endsBefore(byte)) {
          item.add(chunk.subarray(start, at));
          start = at + 1;
          if (byte === CLOSE) place = 'after';
          yield { line: ++items, bytes: item.take() };
        }
      }
      if (place === 'inside') item.add(chunk.subarray(start));
    },
    end() {
      if (place === 'before') throw new ImportError('The data must be a JSON array of profiles.');
      if (place !== 'after') throw new ImportError(`The JSON array does not end: it is cut off after item ${items}.`);
      return [];
    },
  };
}

/** Creates a function that takes each byte of the array in order, and returns whether an item ends before this byte. */
function createItemEnd(): (byte: number) => boolean {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  return (byte) => {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isInString = false;
      return false;
    }
    if (depth === 0 && (byte === COMMA || byte === CLOSE)) return true;
    if (byte === QUOTE) isInString = true;
    else if (byte === OPEN || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE || byte === CLOSE_OBJECT) depth--;
    return false;
  };
}

function createRecord() {
  const kept = new GrowingBuffer(RECORD_MAX_BYTES);
  let bytes = 0;
  return {
    isEmpty: (): boolean => bytes === 0,
    add(part: Uint8Array): void {
      bytes += part.length;
      if (bytes <= RECORD_MAX_BYTES) kept.append(part);
      else kept.take();
    },
    /** Returns the record, or `undefined` if the record is too long, and begins the next record. */
    take(): Uint8Array | undefined {
      const whole = kept.take();
      const isTooLong = bytes > RECORD_MAX_BYTES;
      bytes = 0;
      return isTooLong ? undefined : whole;
    },
  };
}
