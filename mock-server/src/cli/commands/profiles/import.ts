import { createReadStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import type { Command } from 'commander';
import { controlPath } from '../../../control-client/path.ts';
import type { ImportResult } from '../../../domain/profiles/import-result.ts';
import { addCommand } from '../../command.ts';
import { DidNotHappenError, UsageError } from '../../exit.ts';
import { lifecycleWorkspaceOption } from '../../options.ts';
import { startProgress } from '../../output/progress.ts';
import { sendFile } from '../../send-file.ts';
import { workspaceIdOf } from '../../workspace-id.ts';

/** `svc-mock profiles import` */
export function addProfilesImport(parent: Command): void {
  addCommand<{ workspace?: string; adminToken?: string }>(parent, {
    usage: 'import <file>',
    summary: 'import profiles from NDJSON, or from a JSON array (.json); - reads NDJSON from standard input',
    examples: [
      'svc-mock profiles import people.ndjson',
      'svc-mock profiles import people.json --workspace wsp_… --json',
    ],
    options: [lifecycleWorkspaceOption()],
    async run(context, [file = ''], { workspace, adminToken }) {
      const { output, url } = context;
      const size = file === '-' ? 0 : sizeOf(file);
      const workspaceId = await workspaceIdOf(context, workspace);
      using progress = startProgress(output, 'Importing', size);
      let sent = 0;
      const counting = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sent += chunk.length;
          progress.update(sent, `${(sent / 1e6).toFixed(1)} MB`);
          done(null, chunk);
        },
      });
      const source = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
      let unreadable: Error | undefined;
      source.on('error', (error: Error) => {
        unreadable = error;
        counting.destroy(error);
      });
      const sending = sendFile({
        baseUrl: url,
        path: controlPath('importProfiles', { workspaceId }),
        adminToken,
        contentType: file.endsWith('.json') ? 'application/json' : 'application/x-ndjson',
        body: source.pipe(counting),
      });
      const result = (await sending.catch((error: unknown) => {
        if (!unreadable) throw error;
        throw new UsageError(`Cannot read ${file}: ${unreadable.message}.`, { cause: unreadable });
      })) as ImportResult;
      const { created, updated, unchanged, rejected } = result;
      output.result(result, () =>
        output.table(
          ['CREATED', 'UPDATED', 'UNCHANGED', 'REJECTED'],
          [[created, updated, unchanged, rejected].map(String)],
        ),
      );
      if (rejected > 0) throw new DidNotHappenError(rejection(result));
    },
  });
}

function sizeOf(file: string): number {
  try {
    const stats = statSync(file);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UsageError(`There is no file ${file}.`);
  }
  throw new UsageError(`${file} is not a file.`);
}

function rejection({ rejected, problems: [first] }: ImportResult): string {
  const lines = rejected === 1 ? '1 line was' : `${rejected} lines were`;
  return `${lines} rejected; the others are imported. Line ${first?.line}: ${first?.message}`;
}
