import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { root } from '@svc/testing';
import { preProcessFile } from 'typescript';
import { expect, test } from 'vitest';
import { LAYERS, type Layer } from '../../../../scripts/layers.ts';
import { codeFiles } from '../../src/code-files.ts';

const layerOf = (file: string) => LAYERS.find(({ paths }) => paths.some((path) => file.startsWith(path)));

/** What a file imports, also types and in `import()`. */
const importsOf = (file: string, text: string) =>
  preProcessFile(text, true, true).importedFiles.map(({ fileName }) =>
    fileName.startsWith('.') ? { file: join(dirname(file), fileName) } : { package: fileName },
  );

/** Why a file may not import something, or undefined. */
function problemOf(file: string, target: { file: string } | { package: string }): string | undefined {
  const from = layerOf(file);
  if (!from) return `${file} is in no row of the table`;
  if ('package' in target) {
    return from.packages.some((name) => stands(name, target.package))
      ? undefined
      : `${file} (${from.name}) imports ${target.package}`;
  }
  const to = layerOf(target.file);
  if (to === from || (to && from.imports.includes(to.name))) return undefined;
  return `${file} (${from.name}) imports ${target.file} (${to?.name ?? 'in no row'})`;
}

/** Whether a name in the table stands for an import. */
function stands(name: string, target: string): boolean {
  if (name === target) return true;
  if (name.startsWith('@svc/')) return name.endsWith('/*') && target.startsWith(name.slice(0, -1));
  return target.startsWith(name === 'node:' ? name : `${name}/`);
}

const all = await codeFiles();
/** The files that the table covers. */
const sources = new Map([...all].filter(([file]) => /^(?:(?:packages\/[^/]+|mock-server)\/src|scripts)\//.test(file)));

test('every source file imports only what the table lists for its row', () => {
  expect(sources.size).toBeGreaterThan(500);
  const problems = [...sources].flatMap(([file, text]) =>
    importsOf(file, text).flatMap((target) => problemOf(file, target) ?? []),
  );
  expect(problems).toEqual([]);
});

test('every path of the table contains a file that no earlier path contains', () => {
  const paths = LAYERS.flatMap((layer) => layer.paths);
  const owners = new Set([...sources.keys()].map((file) => paths.find((path) => file.startsWith(path))));
  expect(paths.filter((path) => !owners.has(path))).toEqual([]);
});

test('every row of the table, and every import that it allows, is in use', () => {
  const used = new Map(LAYERS.map(({ name }) => [name, new Set<string>()]));
  for (const [file, text] of sources) {
    for (const target of importsOf(file, text)) {
      const to = 'file' in target ? layerOf(target.file)?.name : target.package;
      used.get(layerOf(file)?.name ?? '')?.add(to ?? '');
    }
  }
  const unused = LAYERS.flatMap(({ name, imports, packages }: Layer) => {
    const found = [...(used.get(name) ?? [])];
    const isUsed = (one: string) => found.some((target) => stands(one, target));
    return [...imports, ...packages].filter((one) => !isUsed(one)).map((one) => `${name} > ${one}`);
  });
  expect(unused).toEqual([]);
});

test('only the storage builds statements of the server', () => {
  const building = [...sources].filter(
    ([file, text]) =>
      /^mock-server\/src\/(?!storage\/)/.test(file) &&
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/.test(text),
  );
  expect(building.map(([file]) => file)).toEqual([]);
});

test.each([
  ['packages/contract/src/event-catalog.ts', { package: 'node:fs' }],
  ['packages/contract/src/event-catalog.ts', { file: 'packages/contract/src/openapi/payloads.ts' }],
  ['packages/client/src/client.ts', { package: 'ky' }],
  ['packages/client/src/client.ts', { package: '@svc/webhooks' }],
  ['packages/client/src/client.ts', { file: 'packages/webhooks/src/index.ts' }],
  ['packages/webhooks/src/index.ts', { package: '@svc/contract' }],
  ['packages/dashboard/src/main.tsx', { package: 'zod' }],
  ['packages/dashboard/src/main.tsx', { package: '@svc/contract/schemas' }],
  ['packages/dashboard/src/main.tsx', { package: '@svc/mock-server' }],
  ['mock-server/src/index.ts', { package: '@svc/client' }],
  ['mock-server/src/domain/event-envelope.ts', { file: 'mock-server/src/storage/port.ts' }],
  ['mock-server/src/domain/event-envelope.ts', { file: 'mock-server/src/runtime/ids.ts' }],
  ['mock-server/src/domain/event-envelope.ts', { package: 'node:fs' }],
  ['mock-server/src/storage/port.ts', { file: 'mock-server/src/http/errors.ts' }],
  ['mock-server/src/http/app.ts', { file: 'mock-server/src/delivery/engine.ts' }],
  ['mock-server/src/http/app.ts', { file: 'mock-server/src/storage/sqlite/open.ts' }],
  ['mock-server/src/http/app.ts', { package: 'kysely' }],
  ['mock-server/src/delivery/engine.ts', { file: 'mock-server/src/http/errors.ts' }],
  ['mock-server/src/delivery/engine.ts', { file: 'mock-server/src/context.ts' }],
  ['mock-server/src/cli/context.ts', { file: 'mock-server/src/storage/postgres/open.ts' }],
  ['mock-server/src/cli/commands/clock.ts', { file: 'mock-server/src/storage/statements/settings.ts' }],
  ['mock-server/src/storage/statements/events.ts', { file: 'mock-server/src/storage/delivery/accept.ts' }],
  ['mock-server/src/new-room/file.ts', { file: 'mock-server/src/new-room/other.ts' }],
] as const)('%s may not import %o', (file, target) => {
  expect(problemOf(file, target)).toContain(file);
});

test('no files import each other in a circle, also not for types', () => {
  const targetsOf = (file: string, text: string) =>
    importsOf(file, text).flatMap((target) => ('file' in target ? [target.file] : []));
  expect(circlesIn(new Map([...all].map(([file, text]) => [file, targetsOf(file, text)])))).toEqual([]);
});

test('a circle is found', () => {
  const files = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b']],
    ['d', ['d']],
  ]);
  expect(circlesIn(files)).toEqual(['b > c > b', 'd > d']);
});

/** One circle for each place where a walk along the imports comes back to a file that it is in. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(' > '));
    if (at >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return circles;
}

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
const packageOf = (file: string) => workspaces.find((folder) => file.startsWith(`${folder}/`));

/** The files that import sources of a package by their path, each with the reason why it cannot use a name. */
const BY_PATH: Record<string, string> = {
  'docs/build/reference/command-pages.ts': 'lists the options of the commands, which the packages do not export',
  'scripts/run-from-sources.ts': 'runs the server from its sources, before it is built',
};

/** The imports that lead into a package from outside it, by the path of a file. */
const strangersIn = (files: ReadonlyMap<string, string>) =>
  [...files].flatMap(([file, text]) =>
    importsOf(file, text).flatMap((target) => {
      const to = 'file' in target ? packageOf(target.file) : undefined;
      return to !== undefined && to !== packageOf(file)
        ? [{ file, problem: `${file} imports ${'file' in target && target.file}` }]
        : [];
    }),
  );

test('nothing imports the tests or sources of a package from outside it, except by its name', () => {
  // The files at the top, such as `vitest.workspace.ts`, need no build of a package.
  const files = new Map([...all].filter(([file]) => file.includes('/')));
  expect(files.size).toBeGreaterThan(1_000);
  for (const folder of ['docs', 'examples', 'scripts', 'tools'])
    expect([...files.keys()].some((file) => file.startsWith(`${folder}/`))).toBe(true);
  const found = strangersIn(files);
  expect(found.flatMap(({ file, problem }) => (file in BY_PATH ? [] : [problem]))).toEqual([]);
  expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(Object.keys(BY_PATH));
});

test('an import of a package by its path is found, also in a test and in the documentation', () => {
  const files = new Map([
    ['packages/client/test/a.test.ts', "import { b } from '../../webhooks/test/b.ts';"],
    ['packages/conformance/src/probe.ts', "import type { c } from '../../../mock-server/src/index.ts';"],
    ['docs/test/a.test.ts', "import { b } from '../../packages/dashboard/test/b.ts';"],
    [
      'packages/client/test/c.test.ts',
      "import '@svc/webhooks'; import '../src/index.ts'; import '../../../scripts/d.ts';",
    ],
  ]);
  expect(strangersIn(files).map(({ problem }) => problem)).toEqual([
    'packages/client/test/a.test.ts imports packages/webhooks/test/b.ts',
    'packages/conformance/src/probe.ts imports mock-server/src/index.ts',
    'docs/test/a.test.ts imports packages/dashboard/test/b.ts',
  ]);
});
