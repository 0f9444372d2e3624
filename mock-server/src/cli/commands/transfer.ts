import { statSync } from 'node:fs';
import { Option } from 'commander';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { canOthersWrite } from '../../config/data-folder.ts';
import { folder } from '../../config/option-values.ts';
import { controlPath } from '../../control-client/client.ts';
import { jsonOf, reach, refusal } from '../../control-client/response.ts';
import type { DataPlace } from '../../start/offline-transfer.ts';
import { FORMAT } from '../../transfer/header.ts';
import { joinLines, splitLines } from '../../transfer/split-lines.ts';
import type { CommandSpec } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { DidNotHappenError, orUsageError, UsageError } from '../exit-codes.ts';
import { readExport, writeExport } from '../export-file.ts';
import { startProgress } from '../output/progress.ts';
import { isStandardOutput, printError, writeToStandardOutput } from '../output/terminal.ts';
import { readAtMost } from '../read-at-most.ts';
import { tracedFetch } from '../traced-fetch.ts';

interface PlaceOptions {
  data?: string;
  database?: string;
}

const placeOptions = () => [
  new Option('--data <dir>', 'the data folder of a stopped server').argParser(folder),
  new Option('--database <postgres-url>', 'a PostgreSQL database'),
];

/** With PostgreSQL, the data folder contains the master key. */
const placeOf = ({ data, database }: PlaceOptions): DataPlace => ({
  dataDir: data ?? (process.env['SVC_DATA'] || DEFAULT_CONFIG.dataDir),
  databaseUrl: database,
  masterKey: process.env['SVC_MASTER_KEY'],
});

interface ExportOptions extends PlaceOptions {
  stable?: true;
  withMasterKey?: true;
  adminToken?: string;
}

export const exportAll: CommandSpec<ExportOptions> = {
  usage: 'export <file>',
  summary:
    'export all data of the running server or, with --data or --database, of a stopped server; use "-" to write to standard output',
  examples: ['svc-mock export backup.ndjson.gz', 'svc-mock export backup.ndjson --data .svc-mock --with-master-key'],
  options: [
    ...placeOptions(),
    new Option(
      '--stable',
      'leave out values that differ in every run, such as times of the real clock, so that identical runs export identical files',
    ),
    new Option('--with-master-key', 'include the master key (only with --data or --database)'),
  ],
  async run(context, [file = ''], options) {
    const { output } = context;
    const toOutput = orUsageError(`Cannot write ${file}`, () => isStandardOutput(file));
    const write = (lines: AsyncIterable<string>) =>
      toOutput ? writeToStandardOutput(lines) : writeExport(file, joinLines(lines));
    const isOffline = options.data !== undefined || options.database !== undefined;
    if (options.withMasterKey && !isOffline) {
      throw new UsageError('A running server does not export its master key. Use --data or --database.');
    }
    let rows = 0;
    {
      // In a terminal, the progress bar would appear between the rows of an export to standard output.
      using progress = await startProgress({ interactive: output.interactive && !toOutput }, 'Exporting', 1);
      async function* counted(lines: AsyncIterable<string>) {
        let count = 0;
        for await (const line of lines) {
          // All lines except the first and the last are rows.
          rows = Math.max(0, ++count - 2);
          progress.update(0, `${rows} rows`);
          yield line;
        }
      }
      if (isOffline) {
        const { exportOffline } = await import('../../start/offline-transfer.ts');
        await exportOffline(placeOf(options), options, (lines) => write(counted(lines)));
      } else await write(counted(fromServer(context, options)));
      progress.update(1);
    }
    // A script with --json also needs this warning.
    if (options.withMasterKey) printError('Warning: The file contains the master key. Keep the file secret.\n');
    const aboutKey = options.withMasterKey ? [] : [NO_KEY];
    if (toOutput) {
      // The export uses standard output, as in `svc-mock export /dev/stdout | gzip`, so print notes to standard error.
      for (const line of [`Exported ${rows} rows.`, ...aboutKey]) output.note(line);
      return;
    }
    const { size: bytes } = statSync(file);
    output.result({ file, rows, bytes, masterKey: options.withMasterKey ?? false }, () => [
      `Exported ${rows} rows to ${file} (${bytes} bytes).`,
      ...aboutKey,
    ]);
  },
};

const NO_KEY =
  'The file does not contain the master key. The server that imports the file needs the same key: copy master.key into its data folder, or set SVC_MASTER_KEY.';

const REFUSAL_MAX_BYTES = 64 * 1024;

async function* fromServer({ url }: CommandContext, { stable, adminToken }: ExportOptions): AsyncGenerator<string> {
  const headers = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
  const target = `${url}${controlPath('exportData')}${stable ? '?stable=true' : ''}`;
  const response = await reach(url, () => tracedFetch(target, { headers }));
  if (!response.ok || !response.body) {
    const bytes = await readAtMost(response.body, REFUSAL_MAX_BYTES);
    throw refusal(response.status, bytes.toString(), url, adminToken);
  }
  let line = '';
  for await (const next of splitLines(untilCutOff(response.body))) {
    if (line === '') checkFirstLine(next, url);
    line = next;
    yield `${line}\n`;
  }
  if (line === '') checkFirstLine(line, url);
  if (!LAST_LINE.test(line)) {
    throw new UsageError('The export ended before its last line. No complete export was written. Try again.');
  }
}

const LAST_LINE = /^\{"end":true,"rows":\d+\}$/;

function checkFirstLine(line: string, url: string): void {
  if (Object(jsonOf(line)).format === FORMAT) return;
  throw new UsageError(`The response from ${url} is not an export. Is this the URL of svc-mock?`);
}

async function* untilCutOff(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new DidNotHappenError('The server stopped the export. No complete export was written.', { cause });
  }
}

export const importAll: CommandSpec<PlaceOptions> = {
  usage: 'import <file>',
  summary: 'import an export file into an empty database that no server is using; use "-" to read standard input',
  examples: [
    'svc-mock import backup.ndjson.gz --data .svc-mock',
    'svc-mock import backup.ndjson --database postgres://user:password@host/name',
  ],
  options: placeOptions(),
  async run({ output }, [file = ''], options) {
    if (options.data === undefined && options.database === undefined) {
      throw new UsageError('Choose the empty database to import into: --data <dir> or --database <postgres-url>.');
    }
    const source = readExport(file);
    const { importOffline } = await import('../../start/offline-transfer.ts');
    const place = placeOf(options);
    if (canOthersWrite(place.dataDir)) {
      output.note(`Other users can write to ${place.dataDir}. Restrict the folder with: chmod 700 ${place.dataDir}`);
    }
    let counts: Map<string, number>;
    {
      using progress = await startProgress(output, 'Importing', source.size);
      counts = await importOffline(place, splitLines(source.bytes), (rows) =>
        progress.update(source.readBytes(), `${rows} rows`),
      );
    }
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
    output.blocks({ file, rows, tables: Object.fromEntries(counts) }, () => [
      output.tableOf([...counts], ([table, count]) => ({ TABLE: table, ROWS: String(count) })),
      `Imported ${rows} rows from ${file}.`,
    ]);
  },
};
