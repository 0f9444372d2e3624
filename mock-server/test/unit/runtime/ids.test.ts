import { describe, expect, test } from 'vitest';
import { createIds } from '../../../src/runtime/ids.ts';

const clock = { now: () => Date.parse('2031-03-01T00:00:00Z') };

describe('Ids', () => {
  test('are higher than the latest id, even if the clock was ahead', () => {
    const latest = createIds({ now: () => Date.parse('9999-01-01T00:00:00Z') }).nextBare();
    expect(createIds(clock, latest).nextBare() > latest).toBe(true);

    const ids = createIds(clock);
    ids.riseAbove(`whd_${latest}`);
    expect(ids.next('webhookDelivery') > `whd_${latest}`).toBe(true);
  });

  test.each(['whd_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'whd_7ZZZZZZZZZ0000000000000000', 'whd_zzz'])(
    'do not rise above %s, which no clock of this service has drawn',
    (id) => {
      const ids = createIds(clock);
      const before = ids.nextBare();
      ids.riseAbove(id);
      const after = ids.nextBare();
      expect(after > before).toBe(true);
      expect(after.slice(0, 10)).toBe(before.slice(0, 10));
    },
  );
});
