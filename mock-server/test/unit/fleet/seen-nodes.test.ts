import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSeenNodes } from '../../../src/fleet/seen-nodes.ts';

let now = 0;
beforeEach(() => {
  now = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

function startWatching() {
  let connected = ['me', 'other'];
  const nodes = createSeenNodes(async () => connected.map((name) => ({ name, roles: [`role of ${name}`] })));
  return {
    findRoles: async () => [...(await nodes.findRoles())],
    connect: (...names: string[]) => {
      connected = names;
    },
  };
}

test('the roles of a node count until 11,999 ms after its last connection', async () => {
  const { findRoles, connect } = startWatching();
  await findRoles();
  connect('me');
  now += 11_999;
  expect(await findRoles()).toEqual(['role of me', 'role of other']);
});

test('the roles of a node no longer count 12 s after its last connection', async () => {
  const { findRoles, connect } = startWatching();
  await findRoles();
  connect('me');
  now += 12_000;
  expect(await findRoles()).toEqual(['role of me']);
});
