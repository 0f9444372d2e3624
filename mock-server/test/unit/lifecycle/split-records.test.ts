import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArraySplitter, createLineSplitter, RECORD_MAX_BYTES } from '../../../src/lifecycle/split-records.ts';

const FORMATS = [
  { format: 'NDJSON', create: createLineSplitter, open: '', separator: '\n', close: '' },
  { format: 'JSON array', create: createArraySplitter, open: '[', separator: ',', close: ']' },
];

describe.each(FORMATS)('$format', ({ create, open, separator, close }) => {
  function split(chunks: readonly Uint8Array[]) {
    const splitter = create();
    const records = chunks.flatMap((chunk) => [...splitter.push(chunk)]);
    return [...records, ...splitter.end()].map(({ line, bytes }) => ({ line, text: bytes && String(bytes) }));
  }

  /** Cuts bytes into chunks of these sizes, and a last chunk with the rest. */
  function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
    let at = 0;
    const parts = sizes.map((size) => {
      at += size;
      return bytes.subarray(at - size, at);
    });
    return [...parts, bytes.subarray(at)];
  }

  test('finds the same records, however the stream is cut into chunks', () => {
    const records = fc.array(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(records, fc.array(fc.nat(30)), (texts, sizes) => {
        const stream = Buffer.from(`${open}${texts.join(separator)}${close}`);
        expect(split(cut(stream, sizes))).toEqual(texts.map((text, index) => ({ line: index + 1, text })));
      }),
    );
  });

  test('returns a record of the maximum size, and no bytes of a longer one, in chunks of any size', () => {
    for (const chunkBytes of [RECORD_MAX_BYTES * 3, 64 * 1024, 1_000]) {
      const longest = `"${'a'.repeat(RECORD_MAX_BYTES - 2)}"`;
      const tooLong = `"${'a'.repeat(RECORD_MAX_BYTES - 1)}"`;
      const stream = Buffer.from(`${open}${[tooLong, longest, '1'].join(separator)}${close}`);
      const chunks = cut(stream, Array(Math.ceil(stream.length / chunkBytes)).fill(chunkBytes));
      const records = split(chunks);
      expect(records.map(({ line, text }) => [line, text?.length])).toEqual([
        [1, undefined],
        [2, RECORD_MAX_BYTES],
        [3, 1],
      ]);
    }
  });

  test('keeps little more than its bytes of a record that arrives byte by byte', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const used = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const splitter = create();
    const before = used();
    for (const byte of Buffer.from(`${open}"`)) expect([...splitter.push(Buffer.of(byte))]).toEqual([]);
    for (let sent = 0; sent < 200_000; sent++) splitter.push(Buffer.from('a'))[Symbol.iterator]().next();
    expect(used() - before).toBeLessThan(4_000_000);
    expect([...splitter.push(Buffer.from(`"${separator}`))]).toHaveLength(1);
  });
});
