import { StringDecoder } from 'node:string_decoder';

/** Splits bytes at line feeds only. `readline` also splits at other characters, which JSON may contain. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.write(Buffer.from(chunk))).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
