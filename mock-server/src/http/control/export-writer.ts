const STALL_MAX_MS = 10_000;
/** An export ends with an error if its reader falls 10 s behind this average rate. */
const BYTES_PER_SECOND_MIN = 128 * 1_024;

export class ReaderStalledError extends Error {
  override readonly name = 'ReaderStalledError';
  constructor() {
    super('The client read nothing for 10 s, or read less than 128 KiB per second on average.');
  }
}

/**
 * Creates a function that writes a piece of the export, and then waits until the reader has read the piece.
 *
 * @throws {@link ReaderStalledError} if the reader is too slow, because a slow reader keeps a database connection open.
 */
export function createExportWriter(
  writer: Pick<WritableStreamDefaultWriter<Uint8Array>, 'write'>,
): (piece: Uint8Array) => Promise<void> {
  let bytes = 0;
  let waitedMs = 0;
  return async (piece) => {
    const startedAt = performance.now();
    const allowedMs = STALL_MAX_MS + (1_000 * bytes) / BYTES_PER_SECOND_MIN;
    const stalled = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => stalled.reject(new ReaderStalledError()),
      Math.min(STALL_MAX_MS, Math.max(0, allowedMs - waitedMs)),
    );
    try {
      await Promise.race([writer.write(piece), stalled.promise]);
    } finally {
      clearTimeout(timer);
    }
    waitedMs += performance.now() - startedAt;
    bytes += piece.length;
  };
}
