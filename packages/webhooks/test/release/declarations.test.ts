import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');
const compiler = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc');

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

it('the declarations contain examples, but no TypeDoc directives', () => {
  const files = readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file));
  const text = files.map((file) => readFileSync(join(dist, file), 'utf8')).join('');
  expect(text).not.toContain('{@includeCode');
  for (const example of [
    'createServer(createNodeHandler(webhooks))',
    'export const handler = createLambdaHandler(webhooks)',
  ])
    expect(text).toContain(` * ${example}`);
  expect(text.match(/^ *\* ```ts$/gm)?.length).toBeGreaterThan(10);
});

it('the tarball has no source maps', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: join(dist, '..'),
      encoding: 'utf8',
    }),
  );
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
  expect(paths).toContain('dist/index.js');
  expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
  expect(readFileSync(join(dist, 'index.js'), 'utf8')).not.toContain('sourceMappingURL');
});
