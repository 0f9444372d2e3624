import { expect, test } from 'vitest';
import { createLock } from '../../../../src/storage/sqlite/lock.ts';

/** A lock, and the names of those who got it. */
function watch() {
  const lock = createLock();
  const had: string[] = [];
  const held: Disposable[] = [];
  const ask = async (name: string, shares = false) => {
    held.push(await (shares ? lock.acquireShared() : lock.acquire()));
    had.push(name);
  };
  const turn = async () => {
    await new Promise(setImmediate);
    return had.splice(0);
  };
  return { ask, turn, release: () => held.shift()?.[Symbol.dispose]() };
}

test('the lock has one owner at a time, in the order of the requests', async () => {
  const { ask, turn, release } = watch();
  for (const name of ['a', 'b', 'c']) void ask(name);
  expect(await turn()).toEqual(['a']);
  release();
  expect(await turn()).toEqual(['b']);
  release();
  expect(await turn()).toEqual(['c']);
});

test('shared owners hold the lock together, and do not overtake an exclusive request that waits', async () => {
  const { ask, turn, release } = watch();
  void ask('a', true);
  void ask('b', true);
  expect(await turn()).toEqual(['a', 'b']);
  void ask('alone');
  void ask('c', true);
  void ask('d', true);
  release();
  expect(await turn()).toEqual([]);
  release();
  expect(await turn()).toEqual(['alone']);
  release();
  expect(await turn()).toEqual(['c', 'd']);
});
