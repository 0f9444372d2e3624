import { createReadStream, openSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { controlPath } from '../../control-client/client.ts';
import { readResponse } from '../../control-client/response.ts';
import type { ImportResult } from '../../domain/profiles/profile-import.ts';
import { RESPONSE_MAX_BYTES } from '../bounded-fetch.ts';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { DidNotHappenError, orUsageError, UsageError } from '../exit-codes.ts';
import { workspaceOption } from '../options.ts';
import { startProgress } from '../output/progress.ts';
import { readAtMost } from '../read-at-most.ts';
import { traced } from '../traced-fetch.ts';

export const evaluate: CommandSpec = {
  usage: 'evaluate',
  summary: 'evaluate the profiles of a workspace now, and count them by state',
  examples: ['svc-mock evaluate', 'svc-mock evaluate --workspace wsp_… --json'],
  options: [workspaceOption()],
  async run(context) {
    const { control, output } = context;
    const response = await control.evaluate({ workspaceId: await context.workspaceId() });
    const { evaluation, event } = response;
    output.blocks(response, () => [
      output.fields({
        Evaluation: evaluation.id,
        Workspace: evaluation.workspaceId,
        Profiles: String(evaluation.profiles),
        Changed: String(evaluation.changed),
        Event: `${event.type}  ${event.id}`,
        'Sync error': evaluation.syncError ?? '',
      }),
      output.tableOf(Object.entries(evaluation.states), ([state, profiles]) => ({
        STATE: state,
        PROFILES: String(profiles),
      })),
      output.tableOf(evaluation.transitions, ({ from, to, profiles }) => ({
        FROM: from ?? '',
        TO: to,
        PROFILES: String(profiles),
      })),
    ]);
  },
};

const importProfiles: CommandSpec<{ adminToken?: string }> = {
  usage: 'import <file>',
  summary: 'import profiles from an NDJSON file or a JSON array (.json); use "-" to read NDJSON from standard input',
  examples: ['svc-mock profiles import people.ndjson', 'svc-mock profiles import people.json --workspace wsp_… --json'],
  options: [workspaceOption()],
  async run(context, [file = ''], { adminToken }) {
    const { output, url } = context;
    const size = file === '-' ? 0 : sizeOf(file);
    const workspaceId = await context.workspaceId();
    using progress = await startProgress(output, 'Importing', size);
    const open = () => openSync(file, 'r');
    const source =
      file === '-'
        ? process.stdin
        : createReadStream(file, { fd: orUsageError(`Cannot read ${file}`, open), highWaterMark: 256 * 1024 });
    async function* counted(): AsyncGenerator<Buffer> {
      let sent = 0;
      for await (const chunk of source as AsyncIterable<Buffer>) {
        sent += chunk.length;
        progress.update(sent, `${(sent / 1e6).toFixed(1)} MB`);
        yield chunk;
      }
    }
    const sending = readResponse(url, adminToken, async () => {
      const target = url + controlPath('importProfiles', { workspaceId });
      const headers = {
        'content-type': file.endsWith('.json') ? 'application/json' : 'application/x-ndjson',
        ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
      };
      const body = Readable.from(counted());
      const options = { method: 'PUT', headers, body, headersTimeout: 0, bodyTimeout: 0 } as const;
      const { request } = await import('undici');
      const received = await traced('PUT', target, async () => {
        const { statusCode: status, headers, body } = await request(target, options);
        return { status, headers: new Headers(headers as Record<string, string>), body };
      });
      return { status: received.status, text: String(await readAtMost(received.body, RESPONSE_MAX_BYTES)) };
    });
    const result = (await sending.catch((error: unknown) => {
      const { errored } = source;
      throw errored ? new UsageError(`Cannot read ${file}: ${errored.message}.`, { cause: errored }) : error;
    })) as ImportResult;
    const { created, updated, unchanged, rejected } = result;
    output.result(result, () =>
      output.tableOf([result], () => ({
        CREATED: String(created),
        UPDATED: String(updated),
        UNCHANGED: String(unchanged),
        REJECTED: String(rejected),
      })),
    );
    if (rejected > 0) throw new DidNotHappenError(rejection(result));
  },
};

export const profiles: GroupSpec = {
  name: 'profiles',
  summary: 'import the profiles of a workspace',
  commands: [importProfiles],
};

function sizeOf(file: string): number {
  const found = orUsageError(`Cannot read ${file}`, () => statSync(file, { throwIfNoEntry: false }));
  if (!found) throw new UsageError(`There is no file ${file}.`);
  if (!found.isFile()) throw new UsageError(`${file} is not a file.`);
  return found.size;
}

function rejection({ rejected, problems: [first] }: ImportResult): string {
  const lines = rejected === 1 ? '1 line was' : `${rejected} lines were`;
  return `${lines} rejected; the other lines were imported. Line ${first?.line}: ${first?.message}`;
}
