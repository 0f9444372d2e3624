/** Reads at most `maxBytes` of a body. If the body is longer, stops reading, and so cancels the stream of the body. */
export async function readAtMost(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk.subarray(0, maxBytes - bytes));
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks);
}
