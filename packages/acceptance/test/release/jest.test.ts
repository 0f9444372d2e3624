import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInstalled } from '../../../../runtimes/installed.ts';
import { npm } from '../../release/npm.ts';
import { customerProject } from '../../src/customer-project.ts';
import { root, run } from '../../src/run.ts';

const NODES = [
  { name: 'the oldest Node that the server promises', find: () => customerProject().oldestServerNode },
  { name: 'Node 26', find: () => findInstalled('node-26', 'bin/node') },
];

describe.each(['29.7.0', '30.5.2'])('The example for Jest, with Jest %s,', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-jest-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    cpSync(join(root, 'examples/jest-commonjs'), folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    const packages = [...customerProject().tarballs, `jest@${version}`];
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], folder);
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
    expect(stderr).toMatch(/Tests: +2 passed, 2 total/);
  });
});
