import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const KB = 1_000;
const folder = join(import.meta.dirname, '../dist/assets');
const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
const zipped = (wanted: readonly { bytes: Buffer }[]) =>
  wanted.reduce((sum, { bytes }) => sum + gzipSync(bytes).byteLength, 0);
const scripts = files.filter(({ name }) => name.endsWith('.js'));

/** The page's script and what it imports without waiting. */
function firstNeeded() {
  const page = readFileSync(join(folder, '../index.html'), 'utf8');
  const needed = new Set<string>();
  const add = (name: string): void => {
    const file = scripts.find((one) => one.name === name);
    if (!file || needed.has(name)) return;
    needed.add(name);
    for (const [, imported = ''] of file.bytes.toString().matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)) add(imported);
  };
  for (const [, name = ''] of page.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)) add(name);
  return scripts.filter(({ name }) => needed.has(name));
}

test('the script that is needed first is at most 70 KB, gzipped', () => {
  const first = firstNeeded();
  expect(first.length).toBeGreaterThan(0);
  expect(zipped(first)).toBeLessThan(70 * KB);
});

test('all scripts are at most 140 KB and all styles 12 KB, gzipped', () => {
  expect(zipped(scripts)).toBeLessThan(140 * KB);
  expect(zipped(files.filter(({ name }) => name.endsWith('.css')))).toBeLessThan(12 * KB);
});

test('the files add at most 450 KB to the package, and no source maps', () => {
  expect(files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)).toBeLessThan(450 * KB);
  expect(files.filter(({ name }) => name.endsWith('.map'))).toEqual([]);
});
