import { expect, test } from 'vitest';
import { differingPaths } from '../../../src/screens/delivery/differing-paths.ts';

test('bodies differ by JSONPath', () => {
  const before = { error: { code: 'A', at: [1, { b: 2 }], 'odd key': null }, same: [1, 2], gone: '' };
  const after = { error: { code: 'B', at: [1, { b: 3 }, 4], 'odd key': false }, same: [1, 2] };
  expect(differingPaths(JSON.stringify(before), JSON.stringify(after))).toEqual([
    { path: '$.error.code', before: '"A"', after: '"B"' },
    { path: '$.error.at[1].b', before: '2', after: '3' },
    { path: '$.error.at[2]', before: undefined, after: '4' },
    { path: '$.error["odd key"]', before: 'null', after: 'false' },
    { path: '$.gone', before: '""', after: undefined },
  ]);
  expect(differingPaths('[1]', '{"0":1}')).toEqual([{ path: '$', before: '[1]', after: '{"0":1}' }]);
  expect(differingPaths('{"a":1,"b":2}', '{ "b": 2, "a": 1 }')).toEqual([]);
  expect(differingPaths('{}', 'no')).toBeUndefined();
});

test('a member may have the name of an inherited property', () => {
  expect(differingPaths('{}', '{"__proto__":{},"toString":1}')).toEqual([
    { path: '$.__proto__', before: undefined, after: '{}' },
    { path: '$.toString', before: undefined, after: '1' },
  ]);
});

test('a comparison of bodies is bounded, however deep or long they are', () => {
  const deep = (end: string) => '['.repeat(30_000) + end + ']'.repeat(30_000);
  expect(differingPaths(deep('1'), deep('2'))?.length ?? 1).toBe(1);
  const long = (from: number) => JSON.stringify(Array.from({ length: 9_000 }, (_, index) => from + index));
  expect(differingPaths(long(0), long(1))).toHaveLength(50);
});
