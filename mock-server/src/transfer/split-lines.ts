import { StringDecoder } from 'node:string_decoder';
import { ConfigError } from '../config/config.ts';

/** In UTF-16 units. Longer than any row: the control API accepts requests of 64 MiB. */
const LINE_MAX = 128 * 1024 * 1024;

/**
 * Splits bytes at line feeds only. `readline` also splits at other characters, which JSON may contain.
 *
 * @param lineMax - The longest line to read. A small compressed file can contain a line that fills the memory.
 * @throws {@link ConfigError} if a line is longer.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, lineMax = LINE_MAX): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.write(Buffer.from(chunk)).split('\n');
    begun.push(first);
    length += first.length;
    if (length > lineMax) throw new ConfigError('The file has a line that is too long for an export.');
    for (const part of others) {
      yield begun.join('');
      begun = [part];
      length = part.length;
    }
  }
  const rest = begun.join('') + decoder.end();
  if (rest !== '') yield rest;
}
