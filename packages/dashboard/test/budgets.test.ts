import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sizesOf } from '../bench/sizes.ts';

const KB = 1_000;
const sizes = sizesOf(join(import.meta.dirname, '../dist'));

test('the initial script is at most 70 KB, gzipped', () => {
  expect(sizes.firstScripts).toBeGreaterThan(10 * KB);
  expect(sizes.firstScripts).toBeLessThan(70 * KB);
});

test('all scripts are at most 140 KB and all styles 12 KB, gzipped', () => {
  expect(sizes.scripts).toBeLessThan(140 * KB);
  expect(sizes.styles).toBeLessThan(12 * KB);
});

test('the files add at most 450 KB to the package, and no source maps', () => {
  expect(sizes.unpacked).toBeLessThan(450 * KB);
  expect(sizes.sourceMaps).toBe(0);
});

test("Scalar's script ships compressed, outside the sizes above", () => {
  console.info(`Scalar's script is ${Math.round(sizes.scalar / KB)} KB, compressed.`);
  expect(sizes.scalar).toBeGreaterThan(100 * KB);
  expect(sizes.scalar).toBeLessThan(1_000 * KB);
});
