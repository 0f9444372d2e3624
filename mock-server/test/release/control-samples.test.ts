import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ControlOperationName, controlOperations } from '@svc/contract/control';
import { createControlDocument } from '@svc/contract/openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nativeCompiler } from '../../../tools/installed.ts';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

const home = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(home, '.samples-'));
const env = { ...process.env, SVC_ADMIN_TOKEN: TEST_ADMIN_TOKEN };
const names = Object.keys(controlOperations) as ControlOperationName[];

let api: TestApi;
/** Ids that exist on the server, by their prefixes. */
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  api = await startApi({ adminToken: TEST_ADMIN_TOKEN });
  const credential = demo.production.key;
  const body = { url: 'https://example.com/hooks', subscribedEvents: ['lifecycle.*'] };
  const { endpoint } = (await api.call('POST', '/v1/webhooks/endpoints', { credential, body })).body;
  const triggered = await api.call('POST', '/_control/events', {
    credential: TEST_ADMIN_TOKEN,
    body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
  });
  const { event, deliveries } = triggered.body;
  ids = { wsp: demo.production.id, org: demo.acmeId, whe: endpoint.id, evt: event.id, whd: deliveries[0].id };
  // The sample waits for a success, which this delivery never has.
  await api.call('DELETE', `/v1/webhooks/endpoints/${endpoint.id}`, { credential });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await api[Symbol.asyncDispose]();
});

/** The samples of the OpenAPI document with this label, by operation, for this server. */
function samples(wanted: string): Map<ControlOperationName, string> {
  const { paths } = createControlDocument(api.server.url) as {
    paths: Record<
      string,
      Record<string, { operationId: string; 'x-codeSamples': { label: string; source: string }[] }>
    >;
  };
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(
    described.flatMap(({ operationId, 'x-codeSamples': all }) =>
      all.filter(({ label }) => label === wanted).map(({ source }) => [operationId as ControlOperationName, source]),
    ),
  );
}

/** With ids that exist here. */
const onServer = (source: string) =>
  source
    .replaceAll(/\b(wsp|org|whe|evt|whd)_[0-9A-Z]+/g, (id, prefix) => ids[prefix] ?? id)
    .replace('success', 'disabled');

describe('The code samples of the control API', () => {
  test('for the client compile, and a wrong one does not', () => {
    const code = samples('@svc/mock-server');
    const streams = names.filter((name) => 'mediaType' in controlOperations[name]);
    expect([...code.keys(), ...streams].sort()).toEqual(names.toSorted());
    const find = code.get('find') ?? '';
    const wrong = find.replace('"id"', '"ids"');
    expect(wrong).not.toBe(find);
    for (const [name, source] of [...code, ['wrong', wrong]]) writeFileSync(join(folder, `${name}.ts`), String(source));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.base.json',
        compilerOptions: { noPropertyAccessFromIndexSignature: false },
      }),
    );
    const { stdout } = spawnSync(process.execPath, [nativeCompiler, '-p', folder], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([
      expect.stringMatching(/wrong\.ts.*ids/),
    ]);
  });

  test.each(['find', 'listEndpoints', 'listCredentials', 'readClock', 'listDeliveriesOfEvent'] as const)(
    'for %s run: with the client, and with curl',
    async (name) => {
      const path = join(folder, `run-${name}.mjs`);
      writeFileSync(path, onServer(samples('@svc/mock-server').get(name) ?? ''));
      await promisify(execFile)(process.execPath, [path], { env });
      expect(await curl(name)).toBe('200');
    },
  );

  test('for curl are calls that the server takes: only what a sample names may be missing', async () => {
    // These delete everything, stream forever, or wait for what does not come.
    const others = names.filter((name) => !['reset', 'restoreSnapshot', 'readStream', 'wait'].includes(name));
    for (const name of others) expect(await curl(name), name).toMatch(/^20[01]$|^40[49]$/);
    expect(await curl('wait', '&timeoutMs=1')).toMatch(/^200$|^408$/);
    expect(await curl('reset')).toBe('200');
  });

  test('for curl keep quotes in a body, and say where the admin token goes', async () => {
    const source = samples('curl').get('readClock') ?? '';
    await expect(status(source)).resolves.toBe('401');
    await expect(status(withToken(source))).resolves.toBe('200');
    expect(source).toContain('add: -H "Authorization: Bearer $SVC_ADMIN_TOKEN"');
  });
});

const withToken = (source: string) => source.replace('\ncurl ', '\ncurl -H "Authorization: Bearer $SVC_ADMIN_TOKEN" ');

/** Runs the sample for curl, and returns the status of the response. */
async function curl(name: ControlOperationName, more = ''): Promise<string> {
  const source = onServer(samples('curl').get(name) ?? '');
  return await status(withToken(more ? source.replace(/'$/, `${more}'`) : source));
}

async function status(source: string): Promise<string> {
  const command = source.replace('\ncurl ', '\ncurl -s -o /dev/null -w "%{http_code}" ');
  return (await promisify(execFile)('sh', ['-c', command], { env })).stdout;
}
