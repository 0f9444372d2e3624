import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from '../src/run.ts';

const examples = readdirSync(join(root, 'examples')).filter((name) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'examples', name, 'package.json'), 'utf8'));
  return scripts.test !== undefined;
});

test('there are the examples that the guides name', () => {
  expect(examples).toEqual([
    'cloudflare-worker',
    'express-receiver',
    'frontend-msw',
    'jest-commonjs',
    'next-route-handler',
    'replay-failed',
  ]);
});

test.each(examples)('the tests of examples/%s pass', async (name) => {
  const { status, stdout, stderr } = await run('npm', ['test', '--silent', '--workspace', `examples/${name}`]);
  expect(status, stdout + stderr).toBe(0);
});
