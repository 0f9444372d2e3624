import { describe, expect, it } from 'vitest';
import { createPaces } from '../../../../src/delivery/lanes/endpoint-window.ts';

describe('What a node learns about an endpoint', () => {
  it('answers widen its window up to the cap; attempts without a response do not', () => {
    const paces = createPaces(4);
    expect(paces.of('a').window).toBe(2);
    expect(paces.learn('a', { responded: false, durationMs: 10 }).window).toBe(2);
    for (const window of [3, 4, 4]) {
      expect(paces.learn('a', { responded: true, durationMs: 10 }).window).toBe(window);
    }
    expect(paces.of('b').window).toBe(2);
  });

  it('its latest attempt decides whether it is slow or quick', () => {
    const paces = createPaces(16);
    expect(paces.learn('a', { responded: true, durationMs: 1_999 }).slow).toBe(false);
    expect(paces.learn('a', { responded: true, durationMs: 2_000 }).slow).toBe(true);
    expect(paces.learn('a', { responded: true, durationMs: 5 }).slow).toBe(false);
  });

  it('never exceeds a cap of one', () => {
    expect(createPaces(1).of('a').window).toBe(1);
  });
});
