import { statSync } from 'node:fs';
import { Option } from 'commander';
import { controlPath } from '../../control-client/path.ts';
import { reach, refusal } from '../../control-client/response.ts';
import type { CommandSpec } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { DidNotHappenError, UsageError } from '../exit.ts';
import { startProgress } from '../output/progress.ts';
import { tracedFetch } from '../traced-fetch.ts';
import { checkedExport } from '../transfer/checked-export.ts';
import { writeExport } from '../transfer/file.ts';
import { type PlaceOptions, placeOf, placeOptions } from '../transfer/place.ts';

interface ExportOptions extends PlaceOptions {
  stable?: true;
  withMasterKey?: true;
  adminToken?: string;
}

export const exportAll: CommandSpec<ExportOptions> = {
  usage: 'export <file>',
  summary: 'export all data of the running server or, with --data or --database, of a stopped server',
  examples: ['svc-mock export backup.ndjson.gz', 'svc-mock export backup.ndjson --data .svc-mock --with-master-key'],
  options: [
    ...placeOptions(),
    new Option('--stable', 'leave out real-clock times, so that identical runs export identical files'),
    new Option('--with-master-key', 'include the master key (only with --data or --database)'),
  ],
  async run(context, [file = ''], options) {
    const { output } = context;
    const isOffline = options.data !== undefined || options.database !== undefined;
    if (options.withMasterKey && !isOffline) {
      throw new UsageError('A running server does not export its master key. Use --data or --database.');
    }
    let rows = 0;
    {
      using progress = startProgress(output, 'Exporting', 1);
      const counted = countRows((soFar) => {
        rows = soFar;
        progress.update(0, `${rows} rows`);
      });
      if (isOffline) {
        const { exportOffline } = await import('../../start/offline-transfer.ts');
        await exportOffline(placeOf(options, process.env), options, (lines) => writeExport(file, counted(lines)));
      } else await writeExport(file, counted(fromServer(context, options)));
      progress.update(1);
    }
    const { size } = statSync(file);
    if (options.withMasterKey) output.note('The file contains the master key: keep it secret.');
    output.result({ file, rows, bytes: size, masterKey: options.withMasterKey ?? false }, () => [
      `Exported ${rows} rows to ${file} (${size} bytes).`,
      ...(options.withMasterKey ? [] : [NO_KEY]),
    ]);
  },
};

/** The secrets of the endpoints are derived from the master key. */
const NO_KEY =
  'The file does not contain the master key. The server that imports the file needs the same key: master.key in the data folder, or SVC_MASTER_KEY.';

async function* fromServer({ url }: CommandContext, { stable, adminToken }: ExportOptions): AsyncGenerator<Uint8Array> {
  const headers = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
  const response = await reach(url, () =>
    tracedFetch(`${url}${controlPath('exportData')}${stable ? '?stable=true' : ''}`, { headers }),
  );
  if (!response.ok || !response.body) throw refusal(response.status, await response.text(), url);
  yield* checkedExport(untilCutOff(response.body as unknown as AsyncIterable<Uint8Array>), url);
}

async function* untilCutOff(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new DidNotHappenError('The server stopped the export. Nothing was written.', { cause });
  }
}

/**
 * Passes an export through unchanged, and reports the number of rows so far. The first and last lines of an export are
 * not rows.
 */
function countRows(report: (rows: number) => void) {
  return async function* (source: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
    let lines = 0;
    for await (const chunk of source) {
      lines += lineFeedsIn(chunk);
      report(Math.max(0, lines - 2));
      yield chunk;
    }
  };
}

function lineFeedsIn(chunk: string | Uint8Array): number {
  let count = 0;
  for (const byte of typeof chunk === 'string' ? Buffer.from(chunk) : chunk) if (byte === 10) count++;
  return count;
}
