import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The sizes of the built page in bytes, with scripts and styles gzipped, and the number of the page's source maps. */
export interface Sizes {
  /** The page's script and its static imports. */
  firstScripts: number;
  scripts: number;
  styles: number;
  unpacked: number;
  sourceMaps: number;
  /** Scalar's script, compressed as in the package. The other sizes do not include this script. */
  scalar: number;
}

export function sizesOf(folder: string): Sizes {
  const assets = join(folder, 'assets');
  const all = readdirSync(assets).map((name) => ({ name, bytes: readFileSync(join(assets, name)) }));
  const isScalar = ({ name }: { name: string }) => name.startsWith('scalar-');
  const files = all.filter((file) => !isScalar(file));
  const zipped = (wanted: typeof files) => wanted.reduce((sum, { bytes }) => sum + gzipSync(bytes).byteLength, 0);
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  const needed = new Set<string>();
  const add = (name: string): void => {
    const file = scripts.find((one) => one.name === name);
    if (!file || needed.has(name)) return;
    needed.add(name);
    for (const [, imported = ''] of file.bytes.toString().matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g))
      add(imported);
  };
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  for (const [, name = ''] of page.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)) add(name);
  return {
    firstScripts: zipped(scripts.filter(({ name }) => needed.has(name))),
    scripts: zipped(scripts),
    styles: zipped(files.filter(({ name }) => name.endsWith('.css'))),
    unpacked: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    scalar: all.filter(isScalar).reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    sourceMaps: files.filter(({ name }) => name.endsWith('.map')).length,
  };
}
