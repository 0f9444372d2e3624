import { expect, test } from 'vitest';
import { prettyJson } from '../../src/format/pretty-json.ts';

test.each([
  {},
  [],
  { a: [], b: {}, c: [1, [2, {}], { d: null }] },
  'text with { [ : , ] } "quotes" \\ and \n',
  { 'a:{"b",': '}]' },
  -1.5e300,
  null,
])('JSON that can be parsed without loss is formatted like JSON.stringify: %j', (value) => {
  expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(prettyJson(JSON.stringify(value, null, '\t'))).toBe(JSON.stringify(value, null, 2));
});

test('numbers keep every digit', () => {
  expect(prettyJson('{"id":9007199254740993,"rate":1.10,"big":1E400}')).toBe(
    '{\n  "id": 9007199254740993,\n  "rate": 1.10,\n  "big": 1E400\n}',
  );
});

test('a duplicate name is shown twice, and escapes are kept', () => {
  expect(prettyJson('{"a":1,"a":"\\u0041\\/"}')).toBe('{\n  "a": 1,\n  "a": "\\u0041\\/"\n}');
});

test.each(['', '{', '{"a":}', "{'a':1}", 'nan', '[1,]', '"a" 1'])('%j is not JSON', (text) => {
  expect(prettyJson(text)).toBeUndefined();
});

test('deep nesting is indented only up to a limit, so the output stays small', () => {
  const depth = 2_000;
  const text = `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  const pretty = prettyJson(text) ?? '';
  expect(pretty.length).toBeLessThan(depth * 2 * 100);
  expect(pretty.replaceAll(/\s/g, '')).toBe(text);
});
