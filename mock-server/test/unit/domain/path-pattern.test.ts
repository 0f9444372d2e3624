import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPathPattern } from '../../../src/domain/path-pattern.ts';

describe('A pattern of paths', () => {
  it.each<[string, string, boolean]>([
    ['/v1/me', '/v1/me', true],
    ['/v1/me', '/v1/me/', false],
    ['/v1/*', '/v1/', true],
    ['/v1/*', '/v1/a/b', true],
    ['/v1/*/b', '/v1/a/a/b', true],
    ['/v1/*/b', '/v1/a/c', false],
    ['/v1/{id}/b', '/v1/a/b', true],
    ['/v1/{id}/b', '/v1//b', false],
    ['/v1/{id}', '/v1/a/b', false],
    ['/v1/{}', '/v1/{}', true],
    ['/v1/{}', '/v1/a', false],
    ['/v1/whe_{id}.json', '/v1/whe_1.json', true],
    ['/v1/é*', '/v1/é😀', true],
  ])('%s, for the path %s: %s', (pattern, path, expected) => {
    expect(matchesPathPattern(pattern, path)).toBe(expected);
  });

  it('matches like a regular expression would', () => {
    const pattern = fc.array(fc.constantFrom('*', '{x}', 'a', 'b', '/'), { maxLength: 8 });
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 });
    fc.assert(
      fc.property(pattern, path, (parts, path) => {
        const source = parts.map((part) => (part === '*' ? '.*' : part === '{x}' ? '[^/]+' : part)).join('');
        expect(matchesPathPattern(parts.join(''), path)).toBe(new RegExp(`^${source}$`).test(path));
      }),
      { numRuns: 2_000 },
    );
  });

  // As a regular expression, one of these takes longer than a test may.
  it.each([
    ['stars', '*a'.repeat(98)],
    ['segments', '{x}'.repeat(65)],
    ['stars and segments', '*{x}'.repeat(45)],
  ])('does not become slow with many %s', (_what, parts) => {
    expect(matchesPathPattern(`/v1/${parts}!`, `/v1/${'a'.repeat(8_000)}`)).toBe(false);
    expect(matchesPathPattern(`/v1/${parts}!`, `/v1/${'a'.repeat(8_000)}!`)).toBe(true);
  });
});
