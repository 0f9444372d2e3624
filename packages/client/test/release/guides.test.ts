import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeCompiler } from '../../../../tools/installed.ts';

const home = join(import.meta.dirname, '../..');
const root = join(home, '../..');
const guides = [
  'make-your-first-call.md',
  'fix-a-failed-delivery.md',
  'authentication.md',
  'lists-and-expand.md',
  'errors-and-retries.md',
  'rate-limits.md',
  'mock-the-client.md',
  'recipes.md',
  'customize-the-client.md',
  'connect-your-framework.md',
  // The first page of the site.
  '../index.md',
];

describe('the guides and the README', () => {
  it('show only code that compiles', () => {
    const folder = mkdtempSync(join(home, '.guides-'));
    try {
      for (const path of [join(home, 'README.md'), ...guides.map((name) => join(root, 'docs/guides', name))]) {
        // A block that quotes a file is compiled there.
        const blocks = readFileSync(path, 'utf8').matchAll(/(?<!#\w+ -->\n)```ts\n([\s\S]*?)```/g);
        const name = path.split('/').at(-1)?.replace('.md', '');
        for (const [number, [, code]] of [...blocks].entries())
          writeFileSync(join(folder, `${name}-${number}.ts`), `${code}\nexport {};\n`);
      }
      expect(readdirSync(folder).length).toBeGreaterThan(20);
      mkdirSync(join(folder, 'node_modules'));
      const nest = join(root, 'packages/webhooks/test/node_modules/@nestjs');
      symlinkSync(nest, join(folder, 'node_modules/@nestjs'), 'junction');
      // NestJS needs the older decorators, and its users write constructors with properties.
      const compilerOptions = { experimentalDecorators: true, erasableSyntaxOnly: false };
      const config = { extends: '../../../tsconfig.base.json', compilerOptions };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const compiled = spawnSync(process.execPath, [nativeCompiler, '-p', folder], {
        encoding: 'utf8',
      });
      expect(compiled.stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
