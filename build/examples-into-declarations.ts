import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Editors show the comments of declarations, and know nothing of typedoc's {@includeCode}: this puts each example once
// where it is first named in a file, and drops it elsewhere. The twins for CommonJS go without, for the installed size.

const home = join(import.meta.dirname, '..');
const dist = join(home, 'dist');

for (const name of readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file))) {
  const path = join(dist, name);
  const shown = new Set<string>();
  const text = readFileSync(path, 'utf8').replace(
    /^( *\*)\n *\* \{@includeCode [./]*(?:client\/)?(test\/documented\/[\w-]+\.ts)#([\w-]+)\}\n/gm,
    (_, margin: string, file: string, region: string) => {
      if (name.endsWith('.d.cts') || shown.has(file + region)) return '';
      shown.add(file + region);
      return ['', '```ts', ...example(file, region), '```']
        .map((line) => `${`${margin} ${line}`.trimEnd()}\n`)
        .join('');
    },
  );
  writeFileSync(path, text);
}

/** The lines of a region. A comment in it would end the comment that it goes into. */
function example(file: string, region: string): string[] {
  const text = readFileSync(join(home, file), 'utf8');
  const [, lines] = new RegExp(`// #region ${region}\\n([^]*?)\\n// #endregion ${region}`).exec(text) ?? [];
  if (lines === undefined) throw new Error(`No region ${region} in ${file}`);
  return lines.replaceAll(/\/\*\* (.*) \*\//g, '// $1').split('\n');
}
