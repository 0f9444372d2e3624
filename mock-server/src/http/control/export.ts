import type { Hono } from 'hono';
import { exportLines } from '../../transfer/export-lines.ts';
import type { Services } from '../services.ts';

/** Lines that are sent at once. */
const LINES_MAX = 200;

/** `GET /_control/export`: everything as of one moment, as NDJSON, while the server goes on. */
export function registerExport(app: Hono, { storage, logger }: Services): void {
  app.get('/_control/export', (c) => {
    const stable = c.req.query('stable') === 'true';
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    void storage
      .readSnapshot(async (queries) => {
        const encoder = new TextEncoder();
        let lines: string[] = [];
        for await (const line of exportLines(queries, { stable })) {
          if (lines.push(line) < LINES_MAX) continue;
          await writer.write(encoder.encode(lines.join('')));
          lines = [];
        }
        await writer.write(encoder.encode(lines.join('')));
        await writer.close();
      })
      // The file then lacks its last line, and an import rejects it.
      .catch(async (error: unknown) => {
        logger.warn({ err: error }, 'an export was cut off');
        await writer.abort(error).catch(() => {});
      });
    return c.body(readable, 200, { 'content-type': 'application/x-ndjson' });
  });
}
