import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');

it('the declarations for CommonJS are those for ES modules', () => {
  const names = readdirSync(dist).filter((name) => /\.d\.ts$/.test(name));
  // The names of shared files contain a hash.
  const textOf = (name: string) =>
    readFileSync(join(dist, name), 'utf8').replaceAll(/'\.\/(\w+)(-[\w-]+)?\.c?js'/g, '$1');
  const entries = names.filter((name) => !/-[\w-]{8}\./.test(name));
  expect(entries).toEqual(['index.d.ts', 'schemas.d.ts', 'testing.d.ts']);
  for (const name of entries) expect(textOf(name.replace('.ts', '.cts')), name).toBe(textOf(name));
});

it.each([
  ['createClient()', 'const svc = createClient({ apiKey:'],
  ["createClient({ accessToken: '' })", 'const user = createClient({ accessToken:'],
  ["createClient({ apiKey: '' }).withOptions({})", 'svc.withOptions({'],
])('an editor shows an example for %s', (call, example) => {
  const file = join(import.meta.dirname, 'hover.ts');
  const text = `import { createClient } from '@svc/client';\n${call};`;
  const at = text.lastIndexOf(call.includes('withOptions') ? 'withOptions' : 'createClient') + 1;
  expect(hoverAt(file, text, at)).toContain(example);
});

it('an editor shows the fields of an expanded item', () => {
  const text = `import { createClient } from '@svc/client';
const all = createClient({ accessToken: '' }).organizations.list({ expand: ['workspaces'] });
for await (const organization of all) console.log(organization);`;
  const file = join(import.meta.dirname, 'hover.ts');
  expect(hoverAt(file, text, text.indexOf('organization of'), 'displayParts')).toMatch(
    /^const organization: \{\s+id: OrganizationId;[^&]*workspaces: EmbeddedWorkspace\[\];\s+\}$/,
  );
});

/** The documentation, or the type, that an editor shows for a position of a file. */
function hoverAt(
  file: string,
  text: string,
  at: number,
  part: 'documentation' | 'displayParts' = 'documentation',
): string {
  const read = (name: string) => (name === file ? text : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    ...ts.sys,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: [],
      strict: true,
      noEmit: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(read(name) ?? ''),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    readFile: read,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    getCurrentDirectory: () => import.meta.dirname,
    useCaseSensitiveFileNames: () => true,
  });
  return ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.[part]);
}

it('declarations import neither the private contract nor, in the main entry, ky and zod', () => {
  const names = readdirSync(dist).filter((name) => /\.d\.c?ts$/.test(name));
  for (const name of names) {
    const text = readFileSync(join(dist, name), 'utf8');
    expect(text, name).not.toContain('@svc/contract');
    expect(text, name).not.toContain('includeCode');
    if (!name.startsWith('schemas')) expect(text, name).not.toMatch(/from ['"](ky|zod)/);
  }
  expect(names.length).toBeGreaterThan(5);
});
