import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../dist');
const imported = (file: string) =>
  [...readFileSync(join(dist, file), 'utf8').matchAll(/\b(?:from |import |require\()["']([^"']+)["']/g)].map(
    ([, name]) => name,
  );

describe('the built index', () => {
  // Each file more takes as long to load as a fifth of the whole library.
  it.each(['index.js', 'index.cjs'])('%s loads no other file than the hashing', (file) => {
    expect(new Set(imported(file))).toEqual(new Set(['#hashing']));
  });

  it('loads nothing at all by require in Node', () => {
    expect(imported('index.node.cjs')).toEqual([]);
    expect(createRequire(import.meta.url).resolve('@svc/webhooks')).toBe(join(dist, 'index.node.cjs'));
  });

  it.each(['diagnose.js', 'diagnose.cjs', 'testing.js', 'testing.cjs'])(
    'is loaded by %s, which has no copy',
    (file) => {
      expect(imported(file)).toContain('#index');
    },
  );
});
