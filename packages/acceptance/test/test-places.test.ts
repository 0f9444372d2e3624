import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';

/** The folders of tests, each with the folder of the sources that its tests are about. */
const PLACES = /^(?:(?<server>mock-server)\/test\/unit|(?<package>packages\/[^/]+)\/test)\/(?<path>.+)\.test\.tsx?$/;

/**
 * The tests that look like the test of one source file, but have no source file at the same path. In the server, that is
 * every test in `unit/`. In a package, it is every test in a folder that the sources have too. All other tests are named
 * after what they show.
 */
function misplacedIn(files: readonly string[]): string[] {
  const all = new Set(files);
  const hasFolder = (folder: string) => files.some((file) => file.startsWith(folder));
  return files.filter((file) => {
    const { server, package: name, path = '' } = PLACES.exec(file)?.groups ?? {};
    if (server === undefined && name === undefined) return false;
    const source = `${server ?? name}/src/`;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const isOfOneFile = server !== undefined || (folder !== '' && hasFolder(source + folder));
    return isOfOneFile && !['.ts', '.tsx'].some((ending) => all.has(source + path + ending));
  });
}

test('the test of one source file has the same path as the file', async () => {
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate']);
  const files = stdout.split('\n').filter((file) => existsSync(join(root, file)));
  expect(files.filter((file) => PLACES.test(file)).length).toBeGreaterThan(150);
  expect(misplacedIn(files)).toEqual([]);
});

test('a test that is elsewhere than its source file is found', () => {
  const files = [
    'mock-server/src/cli/commands/events/as-text.ts',
    'mock-server/test/unit/cli/commands/events/as-text.test.ts',
    'mock-server/test/unit/cli/events/as-text.test.ts',
    'mock-server/test/scenarios/long-events.test.ts',
    'packages/dashboard/src/screens/home/rows.tsx',
    'packages/dashboard/test/screens/home/rows.test.ts',
    'packages/dashboard/test/screens/home/columns.test.ts',
    'packages/dashboard/test/journeys/home.test.ts',
    'packages/dashboard/test/budgets.test.ts',
  ];
  expect(misplacedIn(files)).toEqual([
    'mock-server/test/unit/cli/events/as-text.test.ts',
    'packages/dashboard/test/screens/home/columns.test.ts',
  ]);
});

/** The server's tests outside `unit/` that import a source file of the same name and nothing else of the server. */
const testsOfOneFileIn = (files: ReadonlyMap<string, string>) =>
  [...files].flatMap(([file, text]) => {
    const name = /^mock-server\/test\/(?!unit\/).+\/(.+)\.test\.ts$/.exec(file)?.[1];
    const own = [...text.matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, target]) => String(target));
    return name !== undefined && own.length === 1 && own[0]?.includes('/src/') && own[0].endsWith(`/${name}.ts`)
      ? [file]
      : [];
  });

test('the server keeps the tests of one file in test/unit', async () => {
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate']);
  const files = stdout.split('\n').filter((file) => existsSync(join(root, file)) && file.endsWith('.test.ts'));
  expect(testsOfOneFileIn(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])))).toEqual([]);
});

test('a test of one file outside test/unit is found', () => {
  const source = "import { a } from '../../src/http/a.ts';";
  const files = new Map([
    ['mock-server/test/scenarios/a.test.ts', source],
    ['mock-server/test/scenarios/slow-a.test.ts', source],
    ['mock-server/test/unit/http/a.test.ts', source],
    ['mock-server/test/sqlite/a.test.ts', `${source}import { api } from '../support/api.ts';`],
    ['mock-server/test/scenarios/c.test.ts', "import { c } from '../support/c.ts';"],
  ]);
  expect(testsOfOneFileIn(files)).toEqual(['mock-server/test/scenarios/a.test.ts']);
});
