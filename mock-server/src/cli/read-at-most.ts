/** Reads at most `maxBytes` of a body. If the body is longer, stops reading, which cancels the stream of the body. */
export async function readAtMost(
  body: Response['body'] | AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The cast is safe: in Node, the stream of a `Response` is iterable, too.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, maxBytes - bytes));
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks);
}
