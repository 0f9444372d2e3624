import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/exit-codes.ts';
import { instantOf } from '../../../src/cli/options.ts';

describe('An option for a time', () => {
  const now = Date.UTC(2031, 2, 1);

  test.each([
    ['1d', '2031-02-28T00:00:00.000Z'],
    ['2031-02-28', '2031-02-28T00:00:00.000Z'],
    ['2031-02-28T12:00:00+02:00', '2031-02-28T10:00:00.000Z'],
    ['2031-02-28 12:00Z', '2031-02-28T12:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(instantOf('--since', text, now)).toBe(expected);
  });

  test.each(['2031-02-29', '2031-02-29T00:00:00Z', '2031-02-28 soon', '2031-02-28T25:00:00Z', '1y'])(
    'rejects %s',
    (text) => {
      expect(() => instantOf('--since', text, now)).toThrow(UsageError);
    },
  );
});
