import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../../docs/states-and-timings.md'), 'utf8');

/** A cell of the page that names a test: its file, a colon, its title. */
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
    // A title follows `test(` or `it(`, or the cases of an `each`.
    expect(source.split(`'${title}'`).length).toBe(2);
  });
});
