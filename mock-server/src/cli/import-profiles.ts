import { createReadStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import type { ImportResult } from '../domain/profiles/import-result.ts';
import { CommandError } from './command-error.ts';
import { type ServerCommandOptions, serverCommand } from './server-command.ts';
import { callServer, workspaceOf } from './server-connection.ts';

/** `svc-mock profiles import <file>`: streams a file to a running server, with a progress bar on a terminal. */
export function profilesCommand(): Command {
  const importing = serverCommand('import')
    .description('import profiles from a file, NDJSON or a JSON array (.json); - reads NDJSON from standard input')
    .argument('<file>', 'the file')
    .addHelpText(
      'after',
      '\nExamples:\n  svc-mock profiles import people.ndjson\n  svc-mock profiles import people.json --workspace wsp_01DEM00000000000000PR0D000 --json\n',
    )
    .action(importProfiles);
  return new Command('profiles').description('the profiles of a workspace').addCommand(importing);
}

async function importProfiles(file: string, options: ServerCommandOptions): Promise<void> {
  const size = file === '-' ? undefined : sizeOf(file);
  const workspaceId = await workspaceOf(options, options.workspace);
  const progress = createProgress(size, options.json ?? false);
  const source = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  let result: ImportResult;
  try {
    result = await callServer<ImportResult>(options, {
      method: 'PUT',
      path: `/_control/workspaces/${encodeURIComponent(workspaceId)}/profiles`,
      contentType: file.endsWith('.json') ? 'application/json' : 'application/x-ndjson',
      body: source.pipe(progress.counting),
    });
  } finally {
    progress.stop();
  }
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : textOf(result));
  if (result.rejected > 0) throw new CommandError(rejection(result), 1);
}

function sizeOf(file: string): number {
  try {
    const stats = statSync(file);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandError(`There is no file ${file}.`, 2);
  }
  throw new CommandError(`${file} is not a file.`, 2);
}

/** Counts what the server has taken, and shows it where somebody looks. */
function createProgress(size: number | undefined, isJson: boolean) {
  const isShown = size !== undefined && size > 0 && !isJson && process.stderr.isTTY;
  const format = '  {bar} {percentage} %  {sent} of {size} MB  {eta_formatted} left';
  const bar = isShown
    ? new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true })
    : undefined;
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  let sent = 0;
  bar?.start(size ?? 0, 0, { sent: '0.0', size: megabytes(size ?? 0) });
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      bar?.update(sent, { sent: megabytes(sent) });
      done(null, chunk);
    },
  });
  return { counting, stop: () => bar?.stop() };
}

function textOf({ created, updated, unchanged, rejected }: ImportResult): string {
  const rows = Object.entries({ created, updated, unchanged, rejected });
  return rows.map(([name, count]) => `  ${name.padEnd(10)} ${String(count).padStart(9)}\n`).join('');
}

function rejection({ rejected, problems: [first] }: ImportResult): string {
  const lines = rejected === 1 ? '1 line was' : `${rejected} lines were`;
  return `${lines} rejected; the others are imported. Line ${first?.line}: ${first?.message}`;
}
