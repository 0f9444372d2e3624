import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readControlDescriptions, readDescriptions } from '../build/descriptions.ts';
import { readDocstrings } from '../build/docstrings.ts';
import controlDescriptions from '../src/openapi/control/descriptions.json' with { type: 'json' };
import descriptions from '../src/openapi/descriptions.json' with { type: 'json' };

const sources = join(import.meta.dirname, '../src');

test('The texts of the documents are the docstrings of the types. Write them with: node packages/contract/build/descriptions.ts', () => {
  const read = readDescriptions();
  expect(Object.keys(read.types).length).toBeGreaterThan(15);
  expect(descriptions).toEqual(read);
  const ofControl = readControlDescriptions();
  expect(Object.keys(ofControl.resources).length).toBeGreaterThan(30);
  expect(controlDescriptions).toEqual(ofControl);
});

test('No docstring cites a section of the service document, which customers do not have', () => {
  const citing = globSync('**/*.ts', { cwd: sources }).filter((path) =>
    /\(service document, "/.test(readFileSync(join(sources, path), 'utf8').replaceAll(/\s*\n\s*\*\s*/g, ' ')),
  );
  expect(citing).toEqual([]);
});

test('A field without a docstring has that of its type, and Pick has the fields that it names', () => {
  const code =
    '/** A pair. */\ninterface Pair {\n  /** Left. */\n  left: string;\n  /** Right. */\n  right: string;\n}\ninterface Outer {\n  pair: Pair;\n}\ntype Half = Pick<Pair, "left">;';
  const read = readDocstrings([code], new Set(['Pair']));
  expect(read('Outer').fields).toEqual({ pair: 'A pair.' });
  expect(read('Half').fields).toEqual({ left: 'Left.' });
});

test('A description comes from an interface, from what it extends, from each form of a union and from inner objects', () => {
  const read = readDocstrings(
    [
      'interface Base {\n  /** Id. */\n  id: string;\n}',
      '/** All of it. */\ninterface All extends Base {\n  /** One. */\n  one: Named | null;\n  /** Many. */\n  many: {\n    /** Inner. */\n    inner: string;\n  }[];\n  none: string;\n}',
      'type Named = {\n  /** Left. */\n  left: string;\n} | {\n  /** Right. */\n  right: string;\n};',
    ],
    new Set(),
  );
  expect(read('All')).toEqual({
    about: 'All of it.',
    fields: {
      id: 'Id.',
      one: 'One.',
      'one.left': 'Left.',
      'one.right': 'Right.',
      many: 'Many.',
      'many.inner': 'Inner.',
      none: '',
    },
  });
  expect(() => read('Other')).toThrow('No type has the name Other.');
});

test('A field of several forms has one text', () => {
  const typeOf = (text: string) => `type One = {\n  /** Kind. */\n  kind: 1;\n} | {\n  /** ${text} */\n  kind: 2;\n};`;
  expect(readDocstrings([typeOf('Kind.')])('One').fields).toEqual({ kind: 'Kind.' });
  expect(() => readDocstrings([typeOf('Other.')])('One')).toThrow('"kind" has two texts: "Kind." and "Other."');
});

test('A type that describes itself is not described again where it is used', () => {
  const code =
    'interface Outer {\n  /** One. */\n  one: Named;\n}\ninterface Named {\n  /** Inner. */\n  inner: string;\n}';
  expect(readDocstrings([code], new Set(['Named']))('Outer').fields).toEqual({ one: 'One.' });
});
