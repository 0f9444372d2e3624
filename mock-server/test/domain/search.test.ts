import { describe, expect, test } from 'vitest';
import { matchScore } from '../../src/domain/search.ts';

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
  ])('%s is found in %s', (query, text) => {
    expect(matchScore(query, [text])).toBeGreaterThan(0);
  });

  test.each([
    ['strase', 'Straße'],
    ['cafes', 'Café'],
    ['b', 'ß'],
  ])('%s is not found in %s', (query, text) => {
    expect(matchScore(query, [text])).toBe(0);
  });
});
