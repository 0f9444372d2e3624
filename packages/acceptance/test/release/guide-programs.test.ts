import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@svc/client';
import { type MockService, startMockService } from '@svc/mock-server/testing';
import { root, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, PROGRAM_PAGES, writePrograms, writeTests } from '../../src/guide-programs.ts';

const cleanup = new AsyncDisposableStack();
let folder: string;
let place: Place;

beforeAll(async () => {
  // Inside the repository, so that the packages resolve by name.
  folder = mkdtempSync(join(root, 'packages/acceptance/.readme-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  place = await prepare(cleanup.use(await startMockService({ allowNetwork: true })));
});
afterAll(() => cleanup.disposeAsync());

/** A workspace with an endpoint, two deliveries and a failed one. As in production, its key is not a test key. */
async function prepare(service: MockService): Promise<Place> {
  const { workspaceId, accessToken } = await service.workspace({ name: 'Acme' });
  const { credential: apiKey } = await service.control.createCredential({ kind: 'api_key', workspaceId, test: false });
  const { url } = await service.receiver();
  const svc = createClient({ apiKey, baseUrl: service.url });
  const { endpoint } = await svc.webhooks.endpoints.create({ url, subscribedEvents: ['*'] });
  for (const _ of [1, 2]) await service.trigger('lifecycle.evaluated', { workspaceId });
  await service.waitForIdle();
  return { url: service.url, apiKey, accessToken, workspaceId, endpointId: endpoint.id };
}

const runPrograms = (files: readonly string[]) =>
  run('node', ['packages/acceptance/src/run-programs.ts', JSON.stringify(place), ...files]);

describe('The programs of a guide, with a running service,', () => {
  test.each(PROGRAM_PAGES)('run to their end: %s', async (page) => {
    const files = writePrograms(page, folder, place);
    expect(files.length).toBeGreaterThan(0);
    const { status, stdout, stderr } = await runPrograms(files);
    expect(status, stderr).toBe(0);
    for (const file of files) expect(stdout).toContain(`ran ${file}`);
  });

  test('pass, if they are tests', async () => {
    const files = writeTests('docs/guides/mock-the-client.md', folder);
    expect(files).toHaveLength(1);
    const { status, stdout, stderr } = await run('npx', ['vitest', 'run', '--root', folder]);
    expect(status, stdout + stderr).toBe(0);
  });

  test('fail the test if one of them fails', async () => {
    const file = join(folder, 'wrong.ts');
    writeFileSync(file, 'console.assert(1 + 1 === 3);\n');
    expect(await runPrograms([file])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('An assertion of the guide failed.'),
    });
  });
});
