import { describe, expect, test } from 'vitest';
import { indexedWords, matchedField, matchOf, wordsOf } from '../../../src/domain/search.ts';

const isFound = (query: string, text: string) => matchOf(wordsOf(query), [text]) !== undefined;

describe('Search folds case and accents', () => {
  test.each([
    ['strasse', 'Lange Straße 5'],
    ['STRASSE', 'straße'],
    ['straße', 'STRASSE'],
    ['GROẞ', 'gross'],
    ['cafe', 'Café'],
    ['École', 'ecole'],
    ['οδοσ', 'ΟΔΟΣ'],
    ['ΟΔΟΣ', 'οδος'],
    ['istanbul', 'İSTANBUL'],
    ['office', 'oﬃce'],
    ['soren', 'Søren'],
    ['SØREN', 'soren'],
    ['lukasz lodz', 'Łukasz, Łódź'],
    ['aegir thor', 'Ægir Þór'],
    ['oeuvre', 'Œuvre'],
    ['dang', 'Đặng'],
  ])('%s is found in %s', (query, text) => {
    expect(isFound(query, text)).toBe(true);
  });

  test.each([
    ['strase', 'Straße'],
    ['cafes', 'Café'],
    ['b', 'ß'],
    ['e', 'Øm'],
    ['ukasz', 'Łukasz'],
    ['', 'anything'],
    ['-- !', 'anything'],
  ])('%s is not found in %s', (query, text) => {
    expect(isFound(query, text)).toBe(false);
  });
});

describe('A search matches', () => {
  test.each([
    ['ada lovelace', 'whole'],
    ['ADA, Lovelace!', 'whole'],
    ['lovelace', 'words'],
    ['lovelace ada', 'words'],
    ['ada example', 'words'],
    ['ada love', 'prefixes'],
    ['a', 'prefixes'],
    ['lace', undefined],
    ['ada grace', undefined],
  ])('%s: %s', (query, match) => {
    expect(matchOf(wordsOf(query), ['Ada Lovelace', 'ada@example.test', null])).toBe(match);
  });

  test.each([
    ['ada lovelace', 'Ada Lovelace'],
    ['example', 'ada@example.test'],
    ['ada', 'Ada Lovelace'],
    ['exam love', 'Ada Lovelace'],
    ['grace', undefined],
  ])('%s in the field %s', (query, field) => {
    expect(matchedField(wordsOf(query), ['Ada Lovelace', 'ada@example.test', null])).toBe(field);
  });
});

describe('A search reads', () => {
  test('a whole URL', () => {
    const url = `https://a.test/${'x/'.repeat(1_014)}last`;
    expect(url.length).toBeLessThanOrEqual(2_048);
    expect(isFound('last', url)).toBe(true);
  });

  test('only the beginning of a text whose characters become many', () => {
    // Each is 18 characters of four words.
    expect(isFound('last', `${'\ufdfa'.repeat(100)} last`)).toBe(true);
    expect(isFound('last', `${'\ufdfa'.repeat(2_000)} last`)).toBe(false);
  });
});

test('Each word and each whole field is indexed once, under the tag of the workspace', () => {
  expect(indexedWords('wsp_01ABCDEFGH', ['Ada Lovelace', null, 'ada-1', ''])).toBe(
    'cdefgh¤ada¤lovelace cdefghada cdefghlovelace cdefgh¤ada¤1 cdefgh1',
  );
  expect(indexedWords('wsp_01ABCDEFGH', [null, '!'])).toBe('');
});

test('Words that are too long for an index are cut off in both places', () => {
  expect(wordsOf('x'.repeat(5_000))).toEqual(['x'.repeat(200)]);
  expect(isFound('x'.repeat(300), 'x'.repeat(250))).toBe(true);
});
