import { existsSync } from 'node:fs';
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
