import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, transformSync } from 'esbuild';
import type { Subject } from './subjects.ts';

const TSC = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

/** Options for a bundle: its platform, and the dependencies that the bundle does not contain. */
export interface BundleOptions {
  platform: 'node' | 'browser';
  external?: string[];
}

/**
 * Returns how many bytes an import and its dependencies add to a program's bundle, minified and gzipped. The result is
 * the program's size minus the size of the same program without the import. `npm run check:size` measures sizes in the
 * same way.
 */
export async function addedBytes(folder: string, program: string, options: BundleOptions): Promise<number> {
  const empty = program.replace(/^import .*? from '.*?';/, '');
  return (await bundledBytes(folder, program, options)) - (await bundledBytes(folder, empty, options));
}

async function bundledBytes(
  folder: string,
  contents: string,
  { platform, external = [] }: BundleOptions,
): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
    // Resolve peer dependencies from this repository.
    nodePaths: [join(import.meta.dirname, '../../../node_modules')],
    conditions: [platform, 'import'],
    mainFields: ['module', 'main'],
    // Some packages import Node's built-in modules even in their builds for browsers.
    external: [...external, ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

/** Options for measuring a cold start: whether to load `fetch` first, and whether to use `require`. */
export interface ColdOptions {
  fetchLoaded?: boolean;
  commonJs?: boolean;
}

/**
 * Returns the milliseconds that a new process needs to load the package and create its client. Uses the fastest of
 * several runs, because other work can make a run slower but never faster.
 */
export function coldMs(folder: string, { line }: Subject, options: ColdOptions = {}, runs = 12): number {
  const { fetchLoaded, commonJs } = options;
  const module = join(folder, commonJs ? 'cold.cjs' : 'cold.mjs');
  writeFileSync(module, commonJs ? transformSync(line, { format: 'cjs', platform: 'node' }).code : line);
  const program = `${fetchLoaded ? "await fetch('data:,x');" : ''} const t = performance.now();
    await import(${JSON.stringify(module)}); console.log(performance.now() - t);`;
  const times = Array.from({ length: runs }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })),
  );
  return Math.min(...times);
}

/** Returns how many more lines the compiler reads if a program imports the package. */
export function addedLines(folder: string, { line }: Subject): number {
  const lines = (text: string) => {
    writeFileSync(join(folder, 'user.ts'), text);
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ files: ['user.ts'], compilerOptions }));
    const { stdout } = spawnSync(process.execPath, [TSC, '-p', folder, '--extendedDiagnostics'], { encoding: 'utf8' });
    return [...stdout.matchAll(/^Lines of \w+:\s+(\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  return lines(line) - lines('export {};');
}
