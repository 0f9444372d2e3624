import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';

// Replaces the absolute paths in source maps with file names. The CommonJS build names an absolute path as the source
// of the lines that it adds, but a published package must not contain paths of the build machine.

const dist = join(import.meta.dirname, '../dist');
for (const name of readdirSync(dist).filter((file) => file.endsWith('.map'))) {
  const path = join(dist, name);
  const map = JSON.parse(readFileSync(path, 'utf8')) as { file?: string; sources: string[] };
  if (map.file !== undefined) map.file = basename(map.file);
  map.sources = map.sources.map((source) => (isAbsolute(source) ? basename(source) : source));
  writeFileSync(path, JSON.stringify(map));
}
