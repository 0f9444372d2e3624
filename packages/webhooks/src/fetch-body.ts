import { bodyAlreadyRead } from './body-already-read.ts';
import { createByteCollector } from './byte-collector.ts';

/** Reads the body of a Fetch request, and cancels what is more than `maxBytes`. */
export async function readFetchBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) throw bodyAlreadyRead();
  const collected = createByteCollector(maxBytes);
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  if (!reader) return collected.join();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) collected.add(read.value);
  } catch (error) {
    // Not awaited: a sender that keeps its connection open must not hold up the answer.
    reader.cancel().catch(() => {});
    throw error;
  }
  return collected.join();
}
