import { canOthersWrite } from '../../config/data-folder.ts';
import type { CommandSpec } from '../command.ts';
import { UsageError } from '../exit.ts';
import { inBlocks } from '../output/output.ts';
import { startProgress } from '../output/progress.ts';
import { readExport } from '../transfer/file.ts';
import { type PlaceOptions, placeOf, placeOptions } from '../transfer/place.ts';

export const importAll: CommandSpec<PlaceOptions> = {
  usage: 'import <file>',
  summary: 'import an export file into an empty database that no server is using',
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
    const [{ importOffline }, { splitLines }] = await Promise.all([
      import('../../start/offline-transfer.ts'),
      import('../../transfer/split-lines.ts'),
    ]);
    const place = placeOf(options, process.env);
    if (canOthersWrite(place.dataDir)) {
      output.note(`Other users can write to ${place.dataDir}. Restrict it with: chmod 700 ${place.dataDir}`);
    }
    let counts: Map<string, number>;
    {
      using progress = startProgress(output, 'Importing', source.size);
      counts = await importOffline(place, splitLines(source.bytes), (rows) =>
        progress.update(source.readBytes(), `${rows} rows`),
      );
    }
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
    output.result({ file, rows, tables: Object.fromEntries(counts) }, () =>
      inBlocks(
        output.table(
          ['TABLE', 'ROWS'],
          [...counts].map(([table, count]) => [table, String(count)]),
        ),
        `Imported ${rows} rows from ${file}.`,
      ),
    );
  },
};
