import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');

it('declarations import neither the private contract nor, in the main entry, ky and zod', () => {
  const names = readdirSync(dist).filter((name) => /\.d\.c?ts$/.test(name));
  for (const name of names) {
    const text = readFileSync(join(dist, name), 'utf8');
    expect(text, name).not.toContain('@svc/contract');
    expect(text, name).not.toContain('includeCode');
    if (!name.startsWith('schemas')) expect(text, name).not.toMatch(/from ['"](ky|zod)/);
  }
  expect(names.length).toBeGreaterThan(5);
});
