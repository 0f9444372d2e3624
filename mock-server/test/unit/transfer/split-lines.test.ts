import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/config.ts';
import { splitLines } from '../../../src/transfer/split-lines.ts';

async function allOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const linesOf = (chunks: readonly (string | Uint8Array)[], lineMax?: number) =>
  allOf(splitLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), lineMax));

test.each([
  ['whole lines', ['a\nb\n'], ['a', 'b']],
  ['a last line without a line feed', ['a\nb'], ['a', 'b']],
  ['a line in several chunks', ['a', 'b', 'c\nd', 'e\n'], ['abc', 'de']],
  ['an empty line', ['a\n\nb\n'], ['a', '', 'b']],
  ['a character in two chunks', [Buffer.from([0xc3]), Buffer.from([0xbc, 0x0a])], ['ü']],
  ['separators that JSON may contain', ['"\u2028\u0085"\n'], ['"\u2028\u0085"']],
  ['nothing', [], []],
] as const)('splits %s', async (_what, chunks, lines) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

test('a line that is too long is refused before it is read to its end', async () => {
  expect(await linesOf(['1234\n', '12', '34'], 4)).toEqual(['1234', '1234']);
  let read = 0;
  async function* endless() {
    for (;;) {
      read++;
      yield Buffer.alloc(1_000, 'a');
    }
  }
  await expect(allOf(splitLines(endless(), 10_000))).rejects.toThrow(ConfigError);
  expect(read).toBe(11);
});

test('a long line takes no longer than many short ones', async () => {
  const chunk = Buffer.alloc(16 * 1024, 'a');
  const chunks = new Array<Uint8Array>(4_000).fill(chunk);
  const [line] = await linesOf(chunks);
  expect(line).toHaveLength(4_000 * chunk.length);
}, 5_000);
