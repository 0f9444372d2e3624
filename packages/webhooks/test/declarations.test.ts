import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../dist');
const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

it.each([['es2022'], ['es2022,dom,dom.iterable']])(
  'the declarations of the entries that need no platform compile with %s alone',
  (lib) => {
    const files = ['index.d.ts', 'index.d.cts', 'testing.d.ts', 'lambda.d.ts'];
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      lib,
    ];
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, ...files], { cwd: dist, encoding: 'utf8' });
    expect(stdout).toBe('');
  },
);
