import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { describe, expect, test } from 'vitest';
import {
  type Manifest,
  PUBLISHED,
  problemsOf,
  readManifest,
  toFillIn,
} from '../../../../scripts/check-release/manifests.ts';
import { problemsIn } from '../../../../scripts/check-release/tarballs.ts';

const complete: Manifest = {
  name: '@svc/x',
  version: '1.0.0',
  description: 'An x',
  license: 'MIT',
  keywords: ['a', 'b', 'c'],
  engines: { node: '>=22' },
  scripts: { prepack: 'node ../../scripts/ensure-built.ts --declarations packages/x' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
};

describe('A manifest', () => {
  test('without missing fields has no problems', () => {
    expect(problemsOf(complete)).toEqual([]);
  });

  test.each([
    [{ description: '' }, '@svc/x: "description" is missing.'],
    [{ license: '' }, '@svc/x: "license" is missing.'],
    [{ keywords: ['a'] }, '@svc/x: "keywords" needs at least three words.'],
    [{ engines: {} }, '@svc/x: "engines.node" is missing.'],
    [{ scripts: {} }, '@svc/x: "scripts.prepack" must build the package, with its declarations.'],
    [{ exports: {} }, '@svc/x: "exports" lacks "./package.json".'],
    [{ dependencies: { y: 'file:../y' } }, '@svc/x: the dependency y is "file:../y", which nobody else can install.'],
  ])('with %j has a problem that says so', (change, problem) => {
    expect(problemsOf({ ...complete, ...change })).toEqual([problem]);
  });
});

describe('A tarball', () => {
  const paths = ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts'];
  const problems = (names: string[]) =>
    problemsIn({ name: '@svc/x', files: names.map((path) => ({ path })) }, complete);

  test('with everything that its manifest names has no problems', () => {
    expect(problems(paths)).toEqual([]);
  });

  test('may contain source maps of its files', () => {
    expect(problems([...paths, 'dist/index.js.map'])).toEqual([]);
  });

  test.each(paths)('without %s has a problem that says so', (missing) => {
    expect(problems(paths.filter((path) => path !== missing))).toEqual([`@svc/x: ${missing} is missing.`]);
  });

  test.each([
    ['dist/other.js.map', 'is the source map of a file that is missing'],
    ['test/a.js', 'belongs to the tests or benchmarks'],
    ['src/index.ts', 'is a source file'],
    ['master.key', 'may contain a secret'],
    ['data/server.sqlite', 'may contain a secret'],
  ])('with %s has a problem that says so', (path, why) => {
    expect(problems([...paths, path])).toEqual([`@svc/x: ${path} ${why}.`]);
  });
});

describe('The list of what the owner must fill in', () => {
  const addresses = {
    repository: { type: 'git', url: 'git+https://git.test/svc.git' },
    homepage: 'https://svc.test',
    bugs: { url: 'https://git.test/svc/issues', email: 'security@svc.test' },
  };
  const owner = { ...complete, ...addresses };
  const filled = { ...owner, repository: { ...addresses.repository, directory: 'packages/client' } };

  test('is empty once every address is set', () => {
    expect(toFillIn(owner, new Map([['packages/client', filled]]))).toEqual([]);
  });

  test('has each missing address', () => {
    expect(toFillIn(complete, new Map([['packages/client', complete]]))).toEqual([
      '"repository" in package.json, then in the package.json of each package',
      '"homepage" in package.json, then in the package.json of each package',
      '"bugs" in package.json, then in the package.json of each package',
      '"bugs.email" in package.json, for reports of security problems',
    ]);
  });

  test('has each address that a package lacks', () => {
    expect(toFillIn(owner, new Map([['packages/client', { ...filled, homepage: 'https://other.test' }]]))).toEqual([
      '"homepage" in packages/client/package.json: "https://svc.test"',
    ]);
  });
});

test('npm run release:check packs, installs and tries the packages, and prints what would be published', async () => {
  const { status, stdout, stderr } = await run('node', ['scripts/check-release/main.ts']);
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).not.toContain('✗');
  expect(stdout).toContain('verified webhook.ping');
  for (const folder of PUBLISHED)
    expect(stdout).toMatch(new RegExp(`${readManifest(folder).name} .* packed, .* unpacked`));
});

test('the report of the public names can fail', async () => {
  const { reportOn } = await import('../../../../scripts/check-release/api-report.ts');
  const { text, undocumented, names, mentioned } = reportOn('packages/webhooks', readManifest('packages/webhooks'));
  expect(undocumented).toEqual([]);
  expect([...mentioned.keys()].filter((name) => !names.has(name))).toEqual([]);
  expect(text).toBe(readFileSync(join(root, 'packages/webhooks/api-report.md'), 'utf8'));
  // With one entry fewer, the report is different.
  const { exports = {}, ...rest } = readManifest('packages/webhooks');
  const { './testing': _, ...fewer } = exports;
  expect(reportOn('packages/webhooks', { ...rest, exports: fewer }).text).not.toBe(text);
  // An entry mentions an interface that another entry exports.
  const { '.': _main, ...others } = exports;
  const alone = reportOn('packages/webhooks', { ...rest, exports: others });
  expect([...alone.mentioned.keys()].filter((name) => !alone.names.has(name))).toContain('BufferedRequest');
});
