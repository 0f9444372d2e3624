import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerProject } from '../../src/customer-project.ts';
import { run } from '../../src/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const install = async (cwd: string, ...tools: string[]) => {
  writeFileSync(join(cwd, 'package.json'), '{ "name": "customer", "private": true, "type": "module" }');
  const argv = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...customerProject().tarballs, ...tools];
  const { status, stderr } = await run('npm', argv, { cwd });
  if (status !== 0) throw new Error(stderr);
};

/** The `vitest` entry with its fixtures and matchers, and the `msw` entry. */
const SUITE = `
import { createClient } from '@svc/client';
import { createMockService } from '@svc/mock-server/msw';
import { expect, test } from '@svc/mock-server/vitest';
import { setupServer } from 'msw/node';

test('a fixture delivers, and the matchers see it', async ({ service, workspace, receiver }) => {
  const svc = createClient({ apiKey: workspace.apiKey, baseUrl: service.url });
  const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  await service.trigger('lifecycle.evaluated', { workspaceId: workspace.workspaceId });
  await service.waitForIdle();
  expect(receiver).toHaveDelivered('lifecycle.evaluated', 1);
  expect(receiver).not.toHaveDelivered('webhook.ping');
  expect(receiver.requests[0]).toBeSignedWith(secret.secret);
});

test('the handlers of MSW answer for the service', async () => {
  await using service = await createMockService();
  const server = setupServer(...service.handlers);
  server.listen({ onUnhandledRequest: 'error' });
  const { apiKey, workspaceId } = await service.workspace();
  const svc = createClient({ apiKey, baseUrl: 'https://api.example.com' });
  expect((await svc.me.retrieve()).workspace.id).toBe(workspaceId);
  server.close();
});
`;

beforeAll(async () => {
  await install(folder, 'vitest@3.2.0', 'msw@2.0.0');
  writeFileSync(join(folder, 'suite.test.js'), SUITE);
});

test('the oldest Vitest and MSW that the server promises run its entries', async () => {
  const { stdout, stderr, status } = await run('npx', ['vitest', 'run', '--reporter=json'], { cwd: folder });
  expect(JSON.parse(stdout), stderr).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
  expect(status).toBe(0);
});

test('beside Vitest 2 and MSW 1, the server installs, and these entries say what they require', async () => {
  using scratch = new DisposableStack();
  const before = mkdtempSync(join(tmpdir(), 'svc-before-'));
  scratch.defer(() => rmSync(before, { recursive: true, force: true }));
  await install(before, 'vitest@2', 'msw@1');
  const says = async (entry: string) => (await run('node', ['-e', `import('${entry}')`], { cwd: before })).stderr;
  // Vitest itself cannot be imported outside of a run.
  writeFileSync(join(before, 'suite.test.js'), "import '@svc/mock-server/vitest';");
  const { stdout, stderr } = await run('npx', ['vitest', 'run'], { cwd: before });
  expect(stdout + stderr).toContain('requires Vitest 3.2 or later; this project has 2.');
  expect(await says('@svc/mock-server/msw')).toContain('requires MSW 2 or later');
  expect(await says('@svc/mock-server/testing')).toBe('');
});
