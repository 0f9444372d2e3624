import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findInstalled } from '../../../../runtimes/installed.ts';
import { npm } from '../../../../scripts/release/npm.ts';
import { customerProject } from '../../src/customer-project.ts';

const NODES = [
  { name: 'the oldest Node that the packages promise', find: () => customerProject().oldestNode },
  { name: 'Node 26', find: () => findInstalled('node-26', 'bin/node') },
];

/** MSW's handlers in CommonJS. Newer versions of MSW contain ES modules, which Jest must transform. */
const WITH_MSW = `
const { createClient } = require('@svc/client');
const { createMockService } = require('@svc/mock-server/msw');
const { setupServer } = require('msw/node');

const starting = createMockService();
const server = setupServer(...starting.handlers);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(async () => {
  server.close();
  await (await starting).close();
});

test('the handlers of MSW answer for the service', async () => {
  const { apiKey, workspaceId } = await (await starting).workspace();
  const svc = createClient({ apiKey, baseUrl: 'https://api.example.com' });
  expect((await svc.me.retrieve()).workspace.id).toBe(workspaceId);
  await expect(svc.events.retrieve('evt_01JNG8M5T0')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
`;

// Vitest reads such a line too, and would run this file itself in jsdom.
const IN_JSDOM = `/** @jest-${'environment'} jsdom */`;

/** jsdom has no `fetch`, and few of the classes that the client needs. */
const WITH_JSDOM = `
${IN_JSDOM}
const { createClient } = require('@svc/client');
const { startMockService } = require('@svc/mock-server/testing');
const { createWebhooks } = require('@svc/webhooks');

test('the service delivers to a handler in jsdom', async () => {
  const service = await startMockService();
  const { apiKey, workspaceId } = await service.workspace();
  const receiver = await service.receiver();
  const svc = createClient({ apiKey, baseUrl: service.url });
  const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  receiver.forward(createWebhooks({ secrets: secret.secret }).fetch);
  const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
  await service.waitForDelivery({ eventId: event.id, status: 'success' });
  await expect(svc.events.retrieve('evt_01JNG8M5T0')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await service.close();
});
`;

describe.each(['29.7.0', '30.5.2'])('The example for Jest and a test with MSW, on Jest %s,', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-jest-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    cpSync(join(root, 'examples/jest-commonjs'), folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    const packages = [
      ...customerProject().tarballs,
      `jest@${version}`,
      `jest-environment-jsdom@${version.split('.')[0]}`,
      'msw@2.7.0',
    ];
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], folder);
    writeFileSync(join(folder, 'test/msw.test.js'), WITH_MSW);
    writeFileSync(join(folder, 'test/jsdom.test.js'), WITH_JSDOM.trimStart());
  });

  test.each(NODES)('passes on $name without an option of Node', async ({ name, find }) => {
    const node = find();
    if (node === undefined) {
      console.info(`Skipped, because ${name} is not installed (npm run runtimes)`);
      return;
    }
    const argv = ['node_modules/jest/bin/jest.js', '--testTimeout', '60000'];
    const { status, stdout, stderr } = await run(node, argv, { cwd: folder });
    expect(status, stdout + stderr).toBe(0);
    expect(stderr).toMatch(/Tests: +4 passed, 4 total/);
  });
});

test('The guide says what Jest needs for a newer MSW, which contains ES modules', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-jest-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(join(folder, 'msw.test.js'), WITH_MSW);
  const packages = [...customerProject().tarballs, 'jest@30.5.2', 'msw@3.0.5'];
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], folder);
  const jest = (...options: string[]) =>
    run(process.execPath, [...options, 'node_modules/jest/bin/jest.js'], { cwd: folder });
  expect(await jest('--experimental-vm-modules')).toMatchObject({ status: 0 });
  expect(await jest()).toMatchObject({ status: 1, stderr: expect.stringContaining('Must use import') });
});
