import { expect, test } from 'vitest';
import { createLock } from '../../../../src/storage/sqlite/lock.ts';

/** A lock, and the names of those who got it. */
function watch() {
  const lock = createLock();
  const had: string[] = [];
  const ask = (name: string, shares = false) =>
    void (shares ? lock.acquireShared() : lock.acquire()).then(() => had.push(name));
  const turn = async () => {
    await new Promise(setImmediate);
    return had.splice(0);
  };
  return { ask, turn, release: lock.release };
}

test('the lock has one owner at a time, in the order of the requests', async () => {
  const { ask, turn, release } = watch();
  for (const name of ['a', 'b', 'c']) ask(name);
  expect(await turn()).toEqual(['a']);
  release();
  expect(await turn()).toEqual(['b']);
  release();
  expect(await turn()).toEqual(['c']);
});

test('shared owners hold the lock together, and do not overtake an exclusive request that waits', async () => {
  const { ask, turn, release } = watch();
  ask('a', true);
  ask('b', true);
  expect(await turn()).toEqual(['a', 'b']);
  ask('alone');
  ask('c', true);
  ask('d', true);
  release();
  expect(await turn()).toEqual([]);
  release();
  expect(await turn()).toEqual(['alone']);
  release();
  expect(await turn()).toEqual(['c', 'd']);
});
