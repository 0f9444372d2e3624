import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBuffer } from '../../../src/runtime/growing-buffer.ts';

test('joins parts of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3_000 })), (parts) => {
      const whole = Buffer.concat(parts);
      const joined = new GrowingBuffer(whole.length);
      for (const part of parts) joined.append(part);
      expect(joined.length).toBe(whole.length);
      expect(joined.bytes().equals(whole)).toBe(true);
      expect(joined.take().equals(whole)).toBe(true);
      expect(joined.length).toBe(0);
    }),
  );
});

test('keeps its own copy of each part', () => {
  const part = Buffer.from('a');
  const joined = new GrowingBuffer();
  joined.append(part);
  part.fill('b');
  joined.append(part);
  expect(String(joined.take())).toBe('ab');
  joined.append(part);
  expect(String(joined.bytes())).toBe('b');
});

test.each([
  [Number.POSITIVE_INFINITY, 131_072],
  [100_000, 100_000],
])('needs at most twice the memory of the bytes, and at most the maximum: %s', (maxBytes, capacity) => {
  const joined = new GrowingBuffer(maxBytes);
  for (let bytes = 0; bytes < 100_000; bytes++) joined.append(Buffer.of(1));
  expect(joined.bytes().buffer.byteLength).toBe(capacity);
});
