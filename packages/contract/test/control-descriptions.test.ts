import { expect, test } from 'vitest';
import { readControlDescriptions } from '../build/control-descriptions.ts';
import { readDocstrings } from '../build/docstrings.ts';
import descriptions from '../src/openapi/control/descriptions.json' with { type: 'json' };

test('The descriptions of the control API are the docstrings of its types. Write them with: node packages/contract/build/control-descriptions.ts', () => {
  const read = readControlDescriptions();
  expect(Object.keys(read.resources).length).toBeGreaterThan(30);
  expect(descriptions).toEqual(read);
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

test('A type that describes itself is not described again where it is used', () => {
  const code =
    'interface Outer {\n  /** One. */\n  one: Named;\n}\ninterface Named {\n  /** Inner. */\n  inner: string;\n}';
  expect(readDocstrings([code], new Set(['Named']))('Outer').fields).toEqual({ one: 'One.' });
});
