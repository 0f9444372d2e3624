import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { requireTool } from '../../../../tools/installed.ts';

const folder = join(root, '.github/workflows');

type Linter = (text: string, path: string) => { message: string }[];

/** actionlint, compiled to WebAssembly. */
async function lint(text: string, path: string): Promise<string[]> {
  const { createLinter } = requireTool('actionlint') as { createLinter(): Promise<Linter> };
  return (await createLinter())(text, path).map(({ message }) => message);
}

test.each(readdirSync(folder))('actionlint finds nothing in %s', async (name) => {
  expect(await lint(readFileSync(join(folder, name), 'utf8'), name)).toEqual([]);
});

test.each([
  ['a step without what it does', (text: string) => text.replace('- run: npm ci', '- name: nothing')],
  ['a name that no context has', (text: string) => text.replace('matrix.node', 'matrix.nodes')],
])('actionlint finds %s', async (_, breakIt) => {
  const whole = readFileSync(join(folder, 'ci.yml'), 'utf8');
  const broken = breakIt(whole);
  expect(broken).not.toBe(whole);
  expect(await lint(broken, 'ci.yml')).not.toEqual([]);
});

/** The actions of a workflow that a tag names. Its owner can move a tag, but not a commit. */
const unpinned = (text: string) =>
  [...text.matchAll(/uses: (?!\.\/)(.*)$/gm)].flatMap(([, use = '']) =>
    /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use) ? [] : [use],
  );

const pages = readdirSync(join(root, 'docs/guides'))
  .map((name) => `docs/guides/${name}`)
  .filter((page) => readFileSync(join(root, page), 'utf8').includes('uses: '));
const workflows = readdirSync(folder).map((name) => `.github/workflows/${name}`);

test.each([...workflows, ...pages])('%s names each action by its commit and its version', (name) => {
  expect(unpinned(readFileSync(join(root, name), 'utf8'))).toEqual([]);
});

test.each(['actions/checkout@v6', `actions/checkout@${'a'.repeat(40)}`, `actions/checkout@${'a'.repeat(7)} # v6.0.2`])(
  'an action is not pinned by "%s"',
  (use) => {
    expect(unpinned(`steps:\n  - uses: ${use}\n`)).toEqual([use]);
  },
);

interface Job {
  permissions?: Record<string, string>;
  steps: { run?: string }[];
}

/** The commands of the jobs that may change something, other than an installation without scripts. */
function commandsWithRights(workflow: string): string[] {
  const { jobs } = parse(workflow) as { jobs: Record<string, Job> };
  return Object.values(jobs)
    .filter(({ permissions }) => Object.values(permissions ?? {}).includes('write'))
    .flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
    .filter((run) => run !== 'npm ci --ignore-scripts');
}

test('no job that may publish or push runs an install script or a build', () => {
  const release = readFileSync(join(folder, 'release.yml'), 'utf8');
  expect(release).toContain('id-token: write');
  expect(commandsWithRights(release)).toEqual([]);
});

test('a job that may publish and runs an install script is found', () => {
  const release = readFileSync(join(folder, 'release.yml'), 'utf8');
  expect(commandsWithRights(release.replaceAll(' --ignore-scripts', ''))).toEqual(['npm ci', 'npm ci']);
});
