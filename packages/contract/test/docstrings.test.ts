import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { textOf } from '../build/docstrings.ts';
import { type Description, descriptions } from '../src/openapi/descriptions.ts';

const sources = join(import.meta.dirname, '../src');

/** The interfaces and aliases of a file that describe objects, with what their docstrings say. */
function documentedIn(code: string): Record<string, Description> {
  const file = ts.createSourceFile('source.ts', code, ts.ScriptTarget.Latest, true);
  const found: Record<string, Description> = {};
  file.forEachChild((node) => {
    if (ts.isInterfaceDeclaration(node)) {
      const inherited = node.heritageClauses?.flatMap(({ types }) => types.map((type) => type.getText())) ?? [];
      const fields = Object.assign({}, ...inherited.map((name) => found[name]?.fields), fieldsOf(node.members));
      found[node.name.text] = { about: textOf(node), fields };
    } else if (ts.isTypeAliasDeclaration(node) && node.type.getText().startsWith('Pick<')) {
      const [name = '', ...picked] = [...node.type.getText().matchAll(/\w+/g)].slice(1).map(String);
      const fields = Object.fromEntries(picked.map((field) => [field, found[name]?.fields[field] ?? '']));
      found[node.name.text] = { about: textOf(node), fields };
    }
  });
  return found;
}

function fieldsOf(members: Iterable<ts.TypeElement>, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...[...members].filter(ts.isPropertySignature).map((member) => {
      const path = `${prefix}${member.name.getText()}`;
      const types = member.type && ts.isUnionTypeNode(member.type) ? member.type.types : [member.type];
      const inner = types.flatMap((type) => (type && ts.isTypeLiteralNode(type) ? type.members : []));
      return {
        [path]: textOf(member),
        ...fieldsOf(inner, `${path}.`),
      };
    }),
  );
}

test('the docstrings of the interfaces say what the OpenAPI document says', () => {
  const files = [...globSync('resources/*.ts', { cwd: sources }), 'errors.ts'];
  const documented = Object.assign({}, ...files.map((path) => documentedIn(readFileSync(join(sources, path), 'utf8'))));
  expect(Object.keys(documented).length).toBeGreaterThan(20);
  expect(documented).toEqual(descriptions);
});

test('no docstring cites a section of the service document, which customers do not have', () => {
  const citing = globSync('**/*.ts', { cwd: sources }).filter((path) =>
    /\(service document, "/.test(readFileSync(join(sources, path), 'utf8').replaceAll(/\s*\n\s*\*\s*/g, ' ')),
  );
  expect(citing).toEqual([]);
});

test('a docstring that is missing or says something else is noticed', () => {
  const code = 'interface A {\n  /** Kept. */\n  a: {\n    /** Inner. */\n    b: string;\n  } | null;\n  c: string;\n}';
  expect(documentedIn(code)).toEqual({ A: { about: '', fields: { a: 'Kept.', 'a.b': 'Inner.', c: '' } } });
});
