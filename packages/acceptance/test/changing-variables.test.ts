import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceFiles } from '../src/source-files.ts';

/** A function with more variables that change is several things. The linter holds its lines and parameters. */
const VARIABLES_MAX = 5;

/** The functions that declare more than five variables with `let`, not counting those of functions inside them. */
function crowdedIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const crowded: string[] = [];
  const visit = (node: ts.Node): number => {
    let count = 0;
    ts.forEachChild(node, (child) => {
      count += visit(child);
    });
    if (ts.isVariableDeclarationList(node) && node.flags & ts.NodeFlags.Let) count += node.declarations.length;
    if (!ts.isFunctionLike(node)) return count;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (count > VARIABLES_MAX) crowded.push(`${file}:${line} has ${count}`);
    return 0;
  };
  visit(source);
  return crowded;
}

test('no function has more than five variables that change', async () => {
  const files = await sourceFiles();
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => crowdedIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test('a function with six is found, and those of a function inside it are its own', () => {
  const three = 'let a, b, c;';
  expect(crowdedIn('six.ts', `function six() { ${three} for (const d of []) { ${three} } }`)).toEqual([
    'six.ts:1 has 6',
  ]);
  expect(crowdedIn('apart.ts', `function outer() { ${three} return () => { ${three} }; }`)).toEqual([]);
});
