import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../../docs/states-and-timings.md'), 'utf8');

/** The cells of the page that name a test: its file, a colon, and its title, which may follow the title of its group. */
const named = [...page.matchAll(/\| `([\w/-]+\.test\.ts)`: (.+?) (?=\|)/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

describe('The page on states and timings', () => {
  test('names two tests in each row of its tables', () => {
    const rows = page.split('\n').filter((line) => /^\| (?!From|Timing)/.test(line));
    expect(rows.length).toBeGreaterThan(15);
    expect(named).toHaveLength(rows.length * 2);
  });

  test.each(named)('$file has the test "$title"', ({ file, title }) => {
    const folder = file.startsWith('packages/') ? '../../..' : '..';
    const source = readFileSync(join(import.meta.dirname, folder, file), 'utf8');
    const groups = [...source.matchAll(/describe\('(.+?)', /g)].map(([, group]) => `${group} `);
    const group = groups.find((group) => title.startsWith(group)) ?? '';
    // A title follows `test(` or `it(`, or the cases of an `each`.
    expect(source.split(`'${title.slice(group.length)}'`).length).toBe(2);
  });
});
