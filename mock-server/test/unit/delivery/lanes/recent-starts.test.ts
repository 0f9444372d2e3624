import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countStart, noStarts, startsSoon } from '../../../../src/delivery/lanes/recent-starts.ts';

/** A lane that starts one attempt every `ms` milliseconds, for a second. */
function laneThatStartsEvery(ms: number) {
  const rate = noStarts(0);
  for (let at = 0; at <= 1_000; at += ms) countStart(rate, at);
  return rate;
}

describe('The number of deliveries to read ahead for a lane', () => {
  it.each([
    [1, 100],
    [10, 10],
    [100, 1],
  ])('that starts one attempt every %i ms is the number it starts in 100 ms: %i', (ms, expected) => {
    expect(startsSoon(laneThatStartsEvery(ms), 1_000)).toBe(expected);
  });

  it('is zero if it has started nothing yet, or nothing for two periods', () => {
    expect(startsSoon(noStarts(0), 0)).toBe(0);
    expect(startsSoon(laneThatStartsEvery(10), 1_199)).toBeGreaterThan(0);
    expect(startsSoon(laneThatStartsEvery(10), 1_400)).toBe(0);
  });

  it('never exceeds its starts in the last two periods', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 200 }), (gaps) => {
        const rate = noStarts(0);
        const starts: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          starts.push(now);
          countStart(rate, now);
        }
        expect(startsSoon(rate, now)).toBeLessThanOrEqual(starts.filter((at) => at > now - 600).length);
      }),
    );
  });
});
