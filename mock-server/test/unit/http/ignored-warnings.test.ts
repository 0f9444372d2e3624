import { describe, expect, test } from 'vitest';
import { createIgnoredWarnings } from '../../../src/http/ignored-warnings.ts';

/** Warnings as they are logged, and a clock that the test moves. */
function startWarnings() {
  const logged: unknown[][] = [];
  const clock = { now: 0 };
  const warn = createIgnoredWarnings({ warn: (...line: unknown[]) => void logged.push(line) }, () => clock.now);
  const ignore = (credentialId: string, ...ignored: string[]) =>
    warn({ requestId: 'req', operation: 'listEvents', credentialId, ignored });
  return { logged, clock, ignore };
}

describe('The log', () => {
  test('warns about ignored input once per credential and name in a minute', () => {
    const { logged, clock, ignore } = startWarnings();
    ignore('key_a', 'query.x', 'query.y');
    ignore('key_a', 'query.y', 'query.z');
    ignore('key_b', 'query.x');
    clock.now = 59_999;
    ignore('key_a', 'query.x');
    clock.now = 60_000;
    ignore('key_a', 'query.x');
    const about = (credentialId: string) => ({ requestId: 'req', operation: 'listEvents', credentialId });
    expect(logged).toEqual([
      [about('key_a'), 'ignored unknown input: query.x, query.y'],
      [about('key_a'), 'ignored unknown input: query.z'],
      [about('key_b'), 'ignored unknown input: query.x'],
      [about('key_a'), 'ignored unknown input: query.x'],
    ]);
  });
});
