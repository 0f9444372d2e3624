import { describe, expect, test } from 'vitest';
import { EVENT_CATALOG, matchesEventPattern } from '../src/index.ts';

describe('Subscription', () => {
  test.each([
    ['lifecycle.evaluated', 'lifecycle.evaluated', true],
    ['lifecycle.*', 'lifecycle.evaluated', true],
    ['*', 'webhook.ping', true],
    ['webhook.*', 'webhook.endpoint.auto_disabled', true],
    ['webhook.endpoint.*', 'webhook.ping', false],
    ['lifecycle.*', 'lifecycle', false],
    ['lifecycle.*', 'lifecyclex.evaluated', false],
    ['lifecycle.evaluated', 'lifecycle.evaluated.again', false],
    ['lifecycle', 'lifecycle.evaluated', false],
  ])('%s covers %s: %s', (pattern, type, covered) => {
    expect(matchesEventPattern(pattern, type)).toBe(covered);
  });
});

test('the catalog is ordered by type', () => {
  const types = EVENT_CATALOG.map((item) => item.type);
  expect(types).toEqual(types.toSorted());
});
