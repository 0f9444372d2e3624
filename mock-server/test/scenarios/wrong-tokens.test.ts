import { describe, expect, test } from 'vitest';
import { createWrongTokens } from '../../src/http/control/wrong-tokens.ts';
import { failure, startApi, TEST_ADMIN_TOKEN } from '../support/api.ts';

function guessing() {
  const waited: number[] = [];
  const clock = { now: 0 };
  const tokens = createWrongTokens(
    () => clock.now,
    async (ms) => void waited.push(ms),
  );
  return { waited, clock, tokens };
}

describe('Wrong admin tokens', () => {
  test('of one address wait for half a second after the fifth within a minute', async () => {
    const { waited, clock, tokens } = guessing();
    for (let count = 0; count < 5; count++) {
      await tokens.count('192.0.2.1');
      clock.now += 1_000;
    }
    expect(waited).toEqual([]);
    await tokens.count('192.0.2.1');
    clock.now += 500;
    await tokens.count('192.0.2.1');
    expect(waited).toEqual([500, 500]);
    await tokens.count('192.0.2.2');
    expect(waited).toHaveLength(2);
  });

  test('of one address at the same time wait in line, for a minute at most', async () => {
    const { waited, clock, tokens } = guessing();
    for (let count = 0; count < 105; count++) await tokens.count('192.0.2.1');
    expect(waited).toEqual(Array.from({ length: 100 }, (_, index) => 500 * (index + 1)));
    clock.now += 49_000;
    await tokens.count('192.0.2.1');
    expect(waited.at(-1)).toBe(1_500);
    for (let count = 0; count < 1_000; count++) await tokens.count('192.0.2.1');
    expect(waited.at(-1)).toBe(60_000);
    // Another address does not wait with them.
    for (let count = 0; count < 6; count++) await tokens.count('192.0.2.2');
    expect(waited.at(-1)).toBe(500);
  });

  test('whose sender is gone wait no longer', async () => {
    const tokens = createWrongTokens(() => 0);
    for (let count = 0; count < 200; count++) void tokens.count('192.0.2.1', AbortSignal.abort());
    await tokens.count('192.0.2.1', AbortSignal.abort());
  });

  test('wait no longer once fewer than five came within the last minute', async () => {
    const { waited, clock, tokens } = guessing();
    for (let count = 0; count < 6; count++) await tokens.count('192.0.2.1');
    expect(waited).toHaveLength(1);
    clock.now += 60_000;
    await tokens.count('192.0.2.1');
    expect(waited).toHaveLength(1);
    for (let count = 0; count < 20; count++) {
      clock.now += 15_000;
      await tokens.count('192.0.2.1');
    }
    expect(waited).toHaveLength(1);
  });

  test('of many addresses are not all remembered', async () => {
    const { waited, tokens } = guessing();
    for (let count = 0; count < 5; count++) await tokens.count('192.0.2.1');
    for (let count = 0; count < 10_000; count++) await tokens.count(`other ${count}`);
    await tokens.count('192.0.2.1');
    expect(waited).toEqual([]);
  });
});

test.each(['/_control/clock', '/metrics'])(
  '%s refuses guesses slowly, and answers the right token at once',
  async (path) => {
    await using api = await startApi({ adminToken: TEST_ADMIN_TOKEN });
    const ask = async (authorization?: string) => {
      const startedAt = performance.now();
      const response = await fetch(api.server.url + path, { headers: authorization ? { authorization } : {} });
      return { response, ms: performance.now() - startedAt };
    };
    // A request without a token guesses nothing.
    for (let count = 0; count < 9; count++) expect((await ask()).response.status).toBe(401);
    for (let count = 0; count < 5; count++) await ask(`Bearer wrong-${count}`);
    const { response, ms } = await ask('Bearer wrong-5');
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(failure('UNAUTHENTICATED', expect.any(String)));
    // Timers may fire a millisecond early.
    expect(ms).toBeGreaterThan(498);
    // Held behind the others, it would wait too.
    const others = Array.from({ length: 4 }, () => ask('Bearer wrong'));
    const { response: answered } = await Promise.race([...others, ask(`Bearer ${TEST_ADMIN_TOKEN}`)]);
    expect(answered.status).toBe(200);
    // A session that has ended is no guess.
    const ended = ask('Bearer svc_ses_eyJ3IjoiIn0');
    expect(await Promise.race([...others, ended])).toBe(await ended);
    expect((await ended).response.status).toBe(401);
    const waits = (await Promise.all(others)).map((other) => other.ms);
    expect(Math.max(...waits)).toBeGreaterThan(4 * 498);
  },
);
