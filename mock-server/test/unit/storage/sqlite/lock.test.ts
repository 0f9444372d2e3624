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
  const nextOwners = async () => {
    await new Promise(setImmediate);
    return had.splice(0);
  };
  return { ask, nextOwners, release: () => held.shift()?.[Symbol.dispose]() };
}

test('the lock has one owner at a time, in the order of the requests', async () => {
  const { ask, nextOwners, release } = watch();
  for (const name of ['a', 'b', 'c']) void ask(name);
  expect(await nextOwners()).toEqual(['a']);
  release();
  expect(await nextOwners()).toEqual(['b']);
  release();
  expect(await nextOwners()).toEqual(['c']);
});

test('shared owners hold the lock together, and do not overtake an exclusive request that waits', async () => {
  const { ask, nextOwners, release } = watch();
  void ask('a', true);
  void ask('b', true);
  expect(await nextOwners()).toEqual(['a', 'b']);
  void ask('alone');
  void ask('c', true);
  void ask('d', true);
  release();
  expect(await nextOwners()).toEqual([]);
  release();
  expect(await nextOwners()).toEqual(['alone']);
  release();
  expect(await nextOwners()).toEqual(['c', 'd']);
});
