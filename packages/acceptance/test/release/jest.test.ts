import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe.each(['29.7.0', '30.5.2'])('The example for Jest and a test with MSW, on Jest %s,', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-jest-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    cpSync(join(root, 'examples/jest-commonjs'), folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    const packages = [...customerProject().tarballs, `jest@${version}`, 'msw@2.7.0'];
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], folder);
    writeFileSync(join(folder, 'test/msw.test.js'), WITH_MSW);
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
    expect(stderr).toMatch(/Tests: +3 passed, 3 total/);
  });
});
