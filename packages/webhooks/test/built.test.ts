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
  // Loading one more file takes a fifth of the time that the whole library takes.
  it.each(['index.js', 'index.cjs'])('%s loads only itself and the hashing', (file) => {
    expect(new Set(imported(file))).toEqual(new Set(['#hashing']));
  });

  it('loads no other file by require in Node', () => {
    expect(imported('index.node.cjs')).toEqual([]);
    expect(createRequire(import.meta.url).resolve('@svc/webhooks')).toBe(join(dist, 'index.node.cjs'));
  });

  it.each(['diagnose.js', 'diagnose.cjs', 'testing.js', 'testing.cjs'])(
    'is loaded by %s, which contains no copy of it',
    (file) => {
      expect(imported(file)).toContain('#index');
    },
  );
});
