import { StringDecoder } from 'node:string_decoder';
import { ConfigError } from '../config/config.ts';

/** The limit in UTF-16 units. A row can contain a whole control API request: 64 MiB, which JSON escapes can double. */
const LINE_MAX = 128 * 1024 * 1024;

/**
 * Splits at line feeds only. The module `readline` also splits at characters that a JSON string may contain.
 *
 * @param lineMax - In UTF-16 units. Without this limit, one line of a compressed file could fill the memory.
 * @throws {@link ConfigError} if a line is longer than `lineMax`.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, lineMax = LINE_MAX): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.write(Buffer.from(chunk)).split('\n');
    begun.push(first);
    length += first.length;
    if (length > lineMax) throw new ConfigError('The file contains a line that is too long for an export.');
    for (const part of others) {
      yield begun.join('');
      begun = [part];
      length = part.length;
    }
  }
  const rest = begun.join('') + decoder.end();
  if (rest !== '') yield rest;
}

/** Joins lines to pieces of about 64 KiB, because sending or compressing each line separately takes far longer. */
export async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
