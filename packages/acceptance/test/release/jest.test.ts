import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInstalled } from '../../../../runtimes/installed.ts';
import { npm } from '../../../../scripts/check-release/npm.ts';
import { customerProject } from '../../src/customer-project.ts';

const NODES = [
  { name: 'the oldest Node that the packages promise', find: () => customerProject().oldestNode },
  { name: 'Node 26', find: () => findInstalled('node-26', 'bin/node') },
];

/** Tests of each package, and a configuration that runs them in Node and in jsdom. */
const TESTS = join(import.meta.dirname, '../../customer/jest');

const install = (folder: string, packages: readonly string[]) =>
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], folder);

describe.each(['29.7.0', '30.5.2'])('The example for Jest and tests of each package, on Jest %s,', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-jest-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    const isSource = (path: string) => !path.includes('node_modules');
    cpSync(join(root, 'examples/jest-commonjs'), folder, { recursive: true, filter: isSource });
    const environment = `jest-environment-jsdom@${version.split('.')[0]}`;
    await install(folder, [...customerProject().tarballs, `jest@${version}`, environment, 'msw@2.7.0']);
    cpSync(TESTS, folder, { recursive: true });
  });

  const jest = (node: string, options: string[] = [], ...files: string[]) =>
    run(node, [...options, 'node_modules/jest/bin/jest.js', '--testTimeout', '60000', ...files], { cwd: folder });

  test.each(NODES)('pass on $name without an option of Node', async ({ name, find }) => {
    const node = find();
    if (node === undefined) {
      console.info(`Skipped, because ${name} is not installed (npm run runtimes)`);
      return;
    }
    const { status, stdout, stderr } = await jest(node);
    expect(status, stdout + stderr).toBe(0);
    expect(stderr).toMatch(/Tests: +23 passed, 23 total/);
  });

  test.runIf(version.startsWith('30'))(
    'a newer MSW, which contains ES modules, needs what the guide says',
    async () => {
      await install(folder, ['msw@3.0.5']);
      expect(await jest(process.execPath, ['--experimental-vm-modules'], 'msw')).toMatchObject({ status: 0 });
      const stderr = expect.stringContaining('Must use import');
      expect(await jest(process.execPath, [], 'msw')).toMatchObject({ status: 1, stderr });
    },
  );
});
