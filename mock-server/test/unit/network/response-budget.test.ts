import { beforeEach, describe, expect, it } from 'vitest';
import { createResponseBudget, OVERHEAD_MAX_BYTES, OVERHEAD_MAX_LINES } from '../../../src/network/response-budget.ts';

describe('The response budget', () => {
  let budget: ReturnType<typeof createResponseBudget>;
  beforeEach(() => {
    budget = createResponseBudget();
  });
  /** Spends a part of a response of this size. `bodyChunks` are the sizes of the body pieces in it. */
  function spend(bytes: number, bodyChunks: number[] = []): boolean {
    for (const chunk of bodyChunks) budget.addBody(chunk);
    return budget.spend(Buffer.alloc(bytes, 'x'));
  }
  const spendLines = (lines: number) => budget.spend(Buffer.from('a:\r\n'.repeat(lines)));

  it('runs out when a response has more than 64 KiB outside its body, in any number of parts', () => {
    for (let sent = 0; sent < OVERHEAD_MAX_BYTES; sent += 1024) expect(spend(1024)).toBe(true);
    expect(spend(1)).toBe(false);
  });

  it('runs out when a response has more than 512 lines outside its body', () => {
    expect(spendLines(OVERHEAD_MAX_LINES - 1)).toBe(true);
    expect(spendLines(1)).toBe(true);
    expect(spendLines(1)).toBe(false);
  });

  it('does not count the body or its lines', () => {
    for (let sent = 0; sent < 10 * OVERHEAD_MAX_BYTES; sent += 1024) {
      budget.addBody(1024);
      expect(budget.spend(Buffer.alloc(1024, '\n'))).toBe(true);
    }
  });

  it('does not count a chunk-size line of usual length before each part of the body', () => {
    const oneByteChunks = Array<number>(1_000).fill(1);
    for (let count = 0; count < 65; count++) expect(spend(1_000 * '1\r\nx\r\n'.length, oneByteChunks)).toBe(true);
    expect(spend(OVERHEAD_MAX_BYTES)).toBe(true);
  });

  it('does not count a chunk-size line that is padded to eight digits', () => {
    const chunk = '00000001\r\nx\r\n'.length;
    for (let count = 0; count < 65; count++) expect(spend(1_000 * chunk, Array(1_000).fill(1))).toBe(true);
    expect(spend(OVERHEAD_MAX_BYTES)).toBe(true);
  });

  it('counts an unusually long chunk-size line', () => {
    expect(spend(OVERHEAD_MAX_BYTES + 100, [1])).toBe(false);
  });

  it('counts trailers after a body like headers', () => {
    expect(spend(100, [80])).toBe(true);
    expect(spendLines(OVERHEAD_MAX_LINES)).toBe(true);
    expect(spendLines(1)).toBe(false);
  });

  it('is full again for the next response', () => {
    spendLines(OVERHEAD_MAX_LINES);
    spend(OVERHEAD_MAX_BYTES / 2);
    budget.reset();
    expect(spend(OVERHEAD_MAX_BYTES)).toBe(true);
    budget.reset();
    expect(spendLines(OVERHEAD_MAX_LINES)).toBe(true);
  });
});
