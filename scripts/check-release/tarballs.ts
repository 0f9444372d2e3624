import { join } from 'node:path';
import { root } from '@svc/testing';
import type { Manifest } from './manifests.ts';
import { npm } from './npm.ts';

/** A tarball, in the form in which `npm pack --json` describes it. */
export interface Tarball {
  name: string;
  version: string;
  size: number;
  /** `size` and `unpackedSize` are in bytes. */
  unpackedSize: number;
  files: { path: string }[];
  path: string;
}

export async function pack(folders: readonly string[], into: string): Promise<Tarball[]> {
  const argv = ['pack', '--json', '--pack-destination', into, ...folders.flatMap((folder) => ['-w', folder])];
  const packed = JSON.parse(await npm(argv, root)) as Record<string, Tarball & { filename: string }>;
  // npm 11 prints a list of packages. npm 12 prints an object with the packages by name.
  return Object.values(packed).map((tarball) => ({ ...tarball, path: join(into, tarball.filename) }));
}

/**
 * Files that no tarball may contain. Source files are unwanted, because the source maps already contain the sources.
 */
const UNWANTED = [
  { pattern: /(?:^|\/)(?:test|bench|coverage)\//, why: 'belongs to the tests or benchmarks' },
  { pattern: /\.ts$(?<!\.d\.ts)/, why: 'is a source file' },
  { pattern: /(?:^|\/)(?:\.env|\.npmrc|.*\.(?:pem|key|sqlite3?|db))$/, why: 'may contain a secret' },
];

/** Returns the problems of a tarball. Each problem is a sentence. */
export function problemsIn(tarball: Pick<Tarball, 'name' | 'files'>, manifest: Manifest): string[] {
  const paths = new Set(tarball.files.map(({ path }) => path));
  const missing = ['README.md', 'LICENSE', ...targetsOf(manifest)].filter((path) => !paths.has(path));
  const unwanted = [...paths].flatMap((path) =>
    UNWANTED.filter(({ pattern }) => pattern.test(path)).map(({ why }) => `${path} ${why}`),
  );
  const strayMaps = [...paths]
    .filter((path) => path.endsWith('.map') && !paths.has(path.slice(0, -'.map'.length)))
    .map((path) => `${path} is the source map of a file that is missing`);
  return [...missing.map((path) => `${path} is missing`), ...unwanted, ...strayMaps].map(
    (text) => `${tarball.name}: ${text}.`,
  );
}

function targetsOf({ exports, bin }: Manifest): string[] {
  const walk = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(walk);
  return [...new Set([...walk(exports), ...walk(bin)])].map((path) => path.replace(/^\.\//, ''));
}
