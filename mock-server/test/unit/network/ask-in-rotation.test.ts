import { expect, test, vi } from 'vitest';
import { askInRotation } from '../../../src/network/ask-in-rotation.ts';

const ADDRESSES = [{ address: '192.0.2.1', family: 4 as const }];

/** A system whose look-ups end when the test says so. */
function createSystem(timeoutMs = 10_000) {
  const asked: string[] = [];
  const underWay = new Map<string, PromiseWithResolvers<typeof ADDRESSES>>();
  const resolve = askInRotation((name) => {
    asked.push(name);
    const answer = Promise.withResolvers<typeof ADDRESSES>();
    underWay.set(name, answer);
    return answer.promise;
  }, timeoutMs);
  return {
    asked,
    resolve,
    answer: (name: string) => underWay.get(name)?.resolve(ADDRESSES),
    fail: (name: string) => underWay.get(name)?.reject(new Error('unknown')),
  };
}

test('names of one domain wait for each other, and a name of another domain does not', async () => {
  const { resolve, asked, answer } = createSystem();
  const [first, second, other] = ['a.slow.test', 'b.Slow.test.', 'printer.lan.test'].map((name) => resolve(name));
  expect(asked).toEqual(['a.slow.test', 'printer.lan.test']);
  answer('printer.lan.test');
  expect(await other).toEqual(ADDRESSES);
  expect(asked).toHaveLength(2);
  answer('a.slow.test');
  expect(await first).toEqual(ADDRESSES);
  await vi.waitFor(() => expect(asked.at(-1)).toBe('b.Slow.test.'));
  answer('b.Slow.test.');
  expect(await second).toEqual(ADDRESSES);
});

test('two names are looked up at a time, and domains take turns', async () => {
  const { resolve, asked, answer, fail } = createSystem();
  for (const name of ['a.one.test', 'b.one.test', 'a.two.test', 'b.two.test']) resolve(name).catch(() => {});
  const late = resolve('a.three.test');
  expect(asked).toEqual(['a.one.test', 'a.two.test']);
  fail('a.one.test');
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  // It came last, but its domain had no turn yet.
  expect(asked[2]).toBe('a.three.test');
  answer('a.three.test');
  expect(await late).toEqual(ADDRESSES);
  await vi.waitFor(() => expect(asked[3]).toBe('b.one.test'));
});

test('a call that has waited too long is dropped, and a look-up that fails rejects', async () => {
  using now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { resolve, asked, fail } = createSystem(1_000);
  const first = resolve('a.test.test');
  const waiting = resolve('b.test.test');
  now.mockReturnValue(1_001);
  fail('a.test.test');
  await expect(first).rejects.toThrow('unknown');
  await expect(waiting).rejects.toThrow('did not start in time');
  expect(asked).toEqual(['a.test.test']);
});
