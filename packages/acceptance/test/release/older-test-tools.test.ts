import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from '../../release/manifests.ts';
import { customerProject } from '../../src/customer-project.ts';
import { run } from '../../src/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { peerDependencies } = readManifest('mock-server') as { peerDependencies?: Record<string, string> };
const oldest = (name: string) => `${name}@${peerDependencies?.[name]?.replace('>=', '')}`;

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
  writeFileSync(join(folder, 'package.json'), '{ "name": "customer", "private": true, "type": "module" }');
  writeFileSync(join(folder, 'suite.test.js'), SUITE);
  const tools = [oldest('vitest'), oldest('msw')];
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...customerProject().tarballs, ...tools];
  const { status, stderr } = await run('npm', install, { cwd: folder });
  if (status !== 0) throw new Error(stderr);
});

test('the oldest Vitest and MSW that the server promises run its entries', async () => {
  const { stdout, stderr, status } = await run('npx', ['vitest', 'run', '--reporter=json'], { cwd: folder });
  expect(JSON.parse(stdout), stderr).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
  expect(status).toBe(0);
});
