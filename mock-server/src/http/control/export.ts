import { createPauses } from '../../runtime/pauses.ts';
import { exportLines } from '../../transfer/export-lines.ts';
import { joinLines } from '../../transfer/split-lines.ts';
import { conflict } from '../errors.ts';
import type { RequestServices } from '../services.ts';
import { createExportWriter, ReaderStalledError } from './export-writer.ts';
import type { ControlHandlers } from './operation.ts';

/** Each export keeps a database connection open and delays the database's cleanup. */
const EXPORTS_MAX = 2;

export const exportHandlers = {
  async exportData({ services, query }) {
    const headers = { 'content-type': 'application/x-ndjson' };
    return new Response(streamExport(services, query.stable ?? false), { headers });
  },
} satisfies Partial<ControlHandlers>;

function streamExport({ storage, logger, exports }: RequestServices, stable: boolean): ReadableStream<Uint8Array> {
  if (exports.running >= EXPORTS_MAX)
    throw conflict(`This server is already running ${EXPORTS_MAX} exports. Wait until one of them has ended.`);
  exports.running++;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = createExportWriter(writer);
  const pauses = createPauses();
  // If the client has disconnected, `cause` may be undefined or not an error, so throw an error with a clear message.
  const leave = (cause: unknown) => {
    if (cause instanceof ReaderStalledError) throw cause;
    throw new Error('The client disconnected before the end of the export.', { cause });
  };
  void storage
    .readSnapshot(async (queries) => {
      for await (const piece of joinLines(exportLines(queries, { stable }))) {
        await write(piece).catch(leave);
        // Without pauses, an export from SQLite to a fast client would block the event loop.
        await pauses.pauseIfLong();
      }
    })
    .finally(() => exports.running--)
    // Close the writer after the snapshot. Otherwise, the snapshot would stay open until the client has read
    // everything.
    .then(() => writer.close().catch(leave))
    // The client's file now lacks its last line, so an import rejects the file.
    .catch(async (error: unknown) => {
      logger.warn({ err: error }, 'an export was cut off');
      await writer.abort(error).catch(() => {});
    });
  return readable;
}
