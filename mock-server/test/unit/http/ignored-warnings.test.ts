import { describe, expect, test } from 'vitest';
import { createIgnoredWarnings } from '../../../src/http/ignored-warnings.ts';

/** Warnings as they are logged, and a clock that the test moves. */
function startWarnings() {
  const logged: unknown[][] = [];
  const clock = { now: 0 };
  const warn = createIgnoredWarnings({ warn: (...line: unknown[]) => void logged.push(line) }, () => clock.now);
  const ignoreIn = (tenant: string, credentialId: string, ...ignored: string[]) =>
    warn({ requestId: 'req', operation: 'listEvents', credentialId, tenant, ignored });
  const ignore = (credentialId: string, ...ignored: string[]) => ignoreIn('wsp_a', credentialId, ...ignored);
  return { logged, clock, ignore, ignoreIn };
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

  test('has at most 100 such warnings of a workspace in a minute, whichever credentials it uses', () => {
    const { logged, clock, ignore } = startWarnings();
    for (let n = 0; n < 75; n++) ignore('key_a', `query.n${n}`);
    for (let n = 0; n < 75; n++) ignore('key_b', `query.n${n}`);
    expect(logged).toHaveLength(100);
    clock.now = 60_000;
    ignore('key_b', 'query.n74');
    expect(logged).toHaveLength(101);
  });

  test('still warns about other workspaces when one has used up its warnings', () => {
    const { logged, ignoreIn } = startWarnings();
    for (let n = 0; n < 20_000; n++) ignoreIn('wsp_a', 'key_a', `query.n${n}`);
    ignoreIn('wsp_a', 'key_a', 'query.more');
    expect(logged).toHaveLength(100);
    ignoreIn('wsp_b', 'key_b', 'query.x');
    expect(logged.at(-1)).toEqual([
      { requestId: 'req', operation: 'listEvents', credentialId: 'key_b' },
      'ignored unknown input: query.x',
    ]);
  });
});
