import ts from 'typescript';
import { expect, test } from 'vitest';
import { codeFiles } from '../../src/code-files.ts';

/** Without blank lines and lines of comments. The lines of a function inside another function count for both. */
const LINES_MAX = 80;
const NO_CODE = /^\s*(?:$|\/\/|\/\*|\*(?:[ /]|$))/;

/** A function with more variables that change is several things. Those of a function inside it do not count. */
const VARIABLES_MAX = 5;

/** The longer functions, each with the reason why it is clearer whole. */
const WHOLE: Record<string, string> = {
  'mock-server/test/crash/main.ts main':
    'tells a run of kills from its start to its report; its steps share their state',
};

/** A group of tests is no function that a reader follows from its first to its last line. */
const isTests = ({ parent }: ts.Node) =>
  ts.isCallExpression(parent) && /^(?:describe|it|test)\b/.test(parent.expression.getText());

const nameOf = (node: ts.SignatureDeclaration) =>
  node.name?.getText() ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : '(no name)');

/**
 * The functions that exceed a limit. Fields of classes do not count as variables: they are declared in one place, with
 * their types. The linter holds the limit of parameters in the `src` folders.
 */
function tooLargeIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): number => {
    let variables = ts.isVariableDeclarationList(node) && node.flags & ts.NodeFlags.Let ? namesIn(node) : 0;
    ts.forEachChild(node, (child) => {
      variables += visit(child);
    });
    if (!ts.isFunctionLike(node)) return variables;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const place = `${file} ${nameOf(node)} (line ${line})`;
    const lines = isTests(node)
      ? 0
      : node
          .getText()
          .split('\n')
          .filter((line) => !NO_CODE.test(line)).length;
    if (lines > LINES_MAX) found.push(`${place} has ${lines} lines`);
    if (variables > VARIABLES_MAX) found.push(`${place} has ${variables} variables`);
    return 0;
  };
  visit(source);
  return found;
}

/** How many names a declaration binds, also in patterns. */
function namesIn({ declarations }: ts.VariableDeclarationList): number {
  const count = ({ name }: ts.VariableDeclaration | ts.BindingElement): number =>
    ts.isIdentifier(name)
      ? 1
      : name.elements.reduce((sum, one) => sum + (ts.isOmittedExpression(one) ? 0 : count(one)), 0);
  return declarations.reduce((sum, one) => sum + count(one), 0);
}

test('no function exceeds a limit, except those that are clearer whole', async () => {
  const files = [...(await codeFiles())];
  expect(files.length).toBeGreaterThan(1_500);
  const expected = Object.keys(WHOLE).map((place) =>
    expect.stringMatching(`^${place} \\(line \\d+\\) has \\d+ lines$`),
  );
  expect(files.flatMap(([file, text]) => tooLargeIn(file, text))).toEqual(expected);
});

test('a function with 81 lines is found, and blank lines and comments do not count', () => {
  const lines = (count: number) => 'call();\n'.repeat(count);
  const noCode = '\n  // A reason.\n/**\n * A reason.\n */\n';
  expect(tooLargeIn('long.ts', `function long() {\n${lines(79)}}`)).toEqual(['long.ts long (line 1) has 81 lines']);
  expect(tooLargeIn('short.ts', `function short() {\n${noCode}${lines(78)}}`)).toEqual([]);
  const page = `const Page = () => (\n<div>\n${'<b>Text</b>\n'.repeat(77)}</div>\n);`;
  expect(tooLargeIn('page.tsx', page)).toEqual(['page.tsx Page (line 1) has 81 lines']);
  const outer = `function outer() {\nreturn () => {\n${lines(77)}};\n}`;
  expect(tooLargeIn('outer.ts', outer)).toEqual(['outer.ts outer (line 1) has 81 lines']);
  expect(tooLargeIn('a.test.ts', `describe('a', () => {\n${lines(79)}});`)).toEqual([]);
});

test('a function with six variables that change is found, and those of a function inside it are its own', () => {
  const three = 'let a, b, c;';
  expect(tooLargeIn('six.ts', `function six() { ${three} for (const d of []) { ${three} } }`)).toEqual([
    'six.ts six (line 1) has 6 variables',
  ]);
  expect(tooLargeIn('pattern.ts', 'function six() { let [a, , { b, c: [d, e] }, ...f] = g, h; }')).toEqual([
    'pattern.ts six (line 1) has 6 variables',
  ]);
  expect(tooLargeIn('apart.ts', `function outer() { ${three} return () => { ${three} }; }`)).toEqual([]);
});
