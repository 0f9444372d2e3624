import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Runs in a package's folder after the build. Editors do not know typedoc's {@includeCode}, so this script replaces it
// with the code of the example. If several comments in a file name the same example, only the first comment and the
// comments of functions get the code. This rule keeps the installed package small. The path of an example may name
// another package: the declarations of several packages contain comments from the contract, and these comments name
// examples from the client.

const home = process.cwd();
const dist = join(home, 'dist');

for (const name of readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file))) {
  const path = join(dist, name);
  const shown = new Set<string>();
  const text = readFileSync(path, 'utf8').replace(
    /^( *\*)\n *\* \{@includeCode [./]*(?:(\w+)\/)?(test\/documented\/[\w-]+\.ts)#([\w-]+)\}\n([\s\S]*?\*\/\n.*\n)/gm,
    (_, margin: string, owner: string | undefined, path: string, region: string, rest: string) => {
      const file = join(owner === undefined ? home : join(import.meta.dirname, '../../packages', owner), path);
      const isFunction = /\*\/\n *(declare function )?\w+(<.*)?\(/.test(rest);
      if (shown.has(file + region) && !isFunction) return rest;
      shown.add(file + region);
      const lines = ['', '```ts', ...example(file, region), '```'];
      return lines.map((line) => `${`${margin} ${line}`.trimEnd()}\n`).join('') + rest;
    },
  );
  // In both zod 3.25 and zod 4, this path has the API of zod 4.
  writeFileSync(path, text.replaceAll(/(['"])zod\1/g, "'zod/v4'"));
}

/**
 * Returns the lines of an example. One-line docstrings in the example become line comments, because the end of a
 * docstring would also end the surrounding comment.
 */
function example(file: string, region: string): string[] {
  const text = readFileSync(file, 'utf8');
  const [, lines] = new RegExp(`// #region ${region}\\n([^]*?)\\n// #endregion ${region}`).exec(text) ?? [];
  if (lines === undefined) throw new Error(`No region ${region} in ${file}`);
  return lines.replaceAll(/\/\*\* (.*) \*\//g, '// $1').split('\n');
}
