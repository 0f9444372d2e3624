import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const JOURNEYS = 22;
const folder = join(import.meta.dirname, '..');

test('the table in the README names the files of each journey', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const listed = Array.from(readme.matchAll(/^\| (\d+) \| .* \| (.*) \|$/gm), ([, number, files = '']) => [
    Number(number),
    Array.from(files.matchAll(/`([\w-]+)`/g), ([, file]) => file),
  ]);
  const tests = globSync('{journeys,release}/*.test.ts', { cwd: folder }).toSorted();
  const filesOf = (number: number) =>
    tests
      .filter((name) => new RegExp(`['"]journey ${number}: `).test(readFileSync(join(folder, name), 'utf8')))
      .map((name) => basename(name, '.test.ts'))
      .toSorted();
  expect(listed).toEqual(Array.from({ length: JOURNEYS }, (_, index) => [index + 1, filesOf(index + 1)]));
});
