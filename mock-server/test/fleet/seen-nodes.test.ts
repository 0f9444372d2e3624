import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSeenNodes } from '../../src/fleet/seen-nodes.ts';

let now = 0;
beforeEach(() => {
  now = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

test('The active roles are the roles of all nodes that were connected in the last 12 s', async () => {
  let connected = ['me', 'other'];
  const nodes = createSeenNodes(async () => connected.map((name) => ({ name, roles: [`role of ${name}`] })));
  await nodes.look();
  connected = ['me'];
  now += 11_999;
  expect(await nodes.findRoles()).toEqual(new Set(['role of me', 'role of other']));
  now += 1;
  expect(await nodes.findRoles()).toEqual(new Set(['role of me']));
});
