import { z } from 'zod';
import { exportLines } from '../../transfer/export-lines.ts';
import type { Services } from '../services.ts';
import { controlOperation } from './operation.ts';

/** The most lines to send at a time. */
const LINES_MAX = 200;

const readExport = controlOperation({
  method: 'GET',
  path: '/_control/export',
  summary: 'Export all data as of one moment, one row on each line, for `svc-mock import`. The server keeps running',
  query: z.object({ stable: z.enum(['true', 'false']).optional() }),
  status: 200,
  answer: z.record(z.string(), z.unknown()),
  mediaType: 'application/x-ndjson',
  async handle({ services, query }) {
    const headers = { 'content-type': 'application/x-ndjson' };
    return new Response(streamExport(services, query.stable === 'true'), { headers });
  },
});

/** The call that exports everything. */
export const exportOperations = [readExport];

function streamExport({ storage, logger }: Services, stable: boolean): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  // A reader that leaves may give no reason, or a reason that is not an error.
  const leave = (cause: unknown) => {
    throw new Error('The reader left before the end of the export.', { cause });
  };
  void storage
    .readSnapshot(async (queries) => {
      const encoder = new TextEncoder();
      let lines: string[] = [];
      for await (const line of exportLines(queries, { stable })) {
        if (lines.push(line) < LINES_MAX) continue;
        await writer.write(encoder.encode(lines.join(''))).catch(leave);
        lines = [];
      }
      await writer.write(encoder.encode(lines.join(''))).catch(leave);
      await writer.close().catch(leave);
    })
    // The file then has no last line, and an import rejects it.
    .catch(async (error: unknown) => {
      logger.warn({ err: error }, 'an export was cut off');
      await writer.abort(error).catch(() => {});
    });
  return readable;
}
