import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { nativeCompiler } from '../../../../tools/installed.ts';

const dist = join(import.meta.dirname, '../../dist');
const declarations = readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file));

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
    const { stdout } = spawnSync(process.execPath, [nativeCompiler, ...options, ...files], {
      cwd: dist,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  },
);

it('the declarations contain examples, but no TypeDoc directives', () => {
  const text = declarations.map((file) => readFileSync(join(dist, file), 'utf8')).join('');
  expect(text).not.toContain('{@includeCode');
  for (const example of [
    'createServer(createNodeHandler(webhooks))',
    'export const handler = createLambdaHandler(webhooks)',
  ])
    expect(text).toContain(` * ${example}`);
  expect(text.match(/^ *\* ```ts$/gm)?.length).toBeGreaterThan(10);
});

it('no declaration cites the service document', () => {
  for (const name of declarations)
    expect(readFileSync(join(dist, name), 'utf8'), name).not.toContain('(service document, ');
});

it('the tarball has a source map for each program, with its sources', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: join(dist, '..'),
      encoding: 'utf8',
    }),
  );
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
  const programs = paths.filter((path) => /^dist\/.*\.c?js$/.test(path));
  expect(programs.length).toBeGreaterThan(15);
  for (const path of programs) {
    expect(paths, path).toContain(`${path}.map`);
    expect(readFileSync(join(dist, '..', path), 'utf8')).toContain(`//# sourceMappingURL=${basename(path)}.map`);
    const { file, sources, sourcesContent } = JSON.parse(readFileSync(join(dist, '..', `${path}.map`), 'utf8'));
    expect(sourcesContent, path).toHaveLength(sources.length);
    expect([file, ...sources].filter((source) => source?.startsWith('/'))).toEqual([]);
    // Only what the bundler adds has no source.
    const absent = sources.filter((_: string, at: number) => sourcesContent[at] === null);
    expect(absent.filter((source: string) => source.includes('src/'))).toEqual([]);
  }
});

it.each(['index.js', 'index.cjs', 'index.node.cjs'])('the names in %s are readable in a stack', (name) => {
  expect(readFileSync(join(dist, name), 'utf8')).toContain('function verifyMessage(');
});
