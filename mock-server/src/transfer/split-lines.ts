import { StringDecoder } from 'node:string_decoder';
import { ConfigError } from '../config/config.ts';

/**
 * The maximum length of a line, in UTF-16 units. The control API accepts at most 64 MiB per request, and one row can
 * contain all data of a request. The escapes in JSON can double the length of this data.
 */
const LINE_MAX = 128 * 1024 * 1024;

/**
 * Splits bytes into lines, at line feeds only. The module `readline` is not used, because it also splits at characters
 * that a JSON string may contain, such as U+2028.
 *
 * @param lineMax - The maximum length of a line, in UTF-16 units. Without this limit, a small compressed file could
 *   fill the memory with one line.
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
