import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';
import { must, npm } from '../../../../scripts/check-release/npm.ts';
import { nativeCompiler } from '../../../../tools/installed.ts';
import { customerProject } from '../../src/customer-project.ts';

/** These need many other packages. They are not workspaces, and run in a copy, with the packed packages. */
const APART = ['cloudflare-worker', 'frontend-msw', 'jest-commonjs'];

/** An example's limit of 5 s suits a developer's machine. The machine of this test is busy. */
const LIMIT = ['--', '--testTimeout', '60000'];

const examples = readdirSync(join(root, 'examples')).filter((name) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'examples', name, 'package.json'), 'utf8'));
  return scripts.test !== undefined;
});

test('the examples are those that the guides name', () => {
  expect(examples).toEqual([
    'cloudflare-worker',
    'express-receiver',
    'frontend-msw',
    'jest-commonjs',
    'next-route-handler',
    'replay-failed',
  ]);
});

test.each(APART)('examples/%s installs, compiles and passes its tests outside the repository', async (name) => {
  using scratch = new DisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'svc-example-'));
  scratch.defer(() => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, name);
  cpSync(join(root, 'examples', name), copy, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...customerProject().tarballs], copy);
  if (readdirSync(copy).includes('tsconfig.json')) {
    await must([nativeCompiler, '--noEmit', '-p', '.'], copy);
  }
  const { status, stdout, stderr } = await run('npm', ['test', '--silent', ...LIMIT], { cwd: copy });
  expect(status, stdout + stderr).toBe(0);
});
