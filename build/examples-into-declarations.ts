import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Runs in a package's folder after its build. Editors show the comments of declarations, but do not know typedoc's
// {@includeCode}. So this inserts each example into the first comment of a file that names it, and removes the line
// from other comments. The declarations for CommonJS get no examples, to keep the installed size small. The contract's
// comments name examples of the client, in the declarations of every package that uses them.

const home = process.cwd();
const dist = join(home, 'dist');

for (const name of readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file))) {
  const path = join(dist, name);
  const shown = new Set<string>();
  const text = readFileSync(path, 'utf8').replace(
    /^( *\*)\n *\* \{@includeCode [./]*(?:(\w+)\/)?(test\/documented\/[\w-]+\.ts)#([\w-]+)\}\n/gm,
    (_, margin: string, owner: string | undefined, path: string, region: string) => {
      const file = join(owner === undefined ? home : join(import.meta.dirname, '../packages', owner), path);
      if (name.endsWith('.d.cts') || shown.has(file + region)) return '';
      shown.add(file + region);
      return ['', '```ts', ...example(file, region), '```']
        .map((line) => `${`${margin} ${line}`.trimEnd()}\n`)
        .join('');
    },
  );
  writeFileSync(path, text);
}

/** The lines of a region. They must not contain a block comment, which would end the surrounding comment. */
function example(file: string, region: string): string[] {
  const text = readFileSync(file, 'utf8');
  const [, lines] = new RegExp(`// #region ${region}\\n([^]*?)\\n// #endregion ${region}`).exec(text) ?? [];
  if (lines === undefined) throw new Error(`No region ${region} in ${file}`);
  return lines.replaceAll(/\/\*\* (.*) \*\//g, '// $1').split('\n');
}
