import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSeenNodes } from '../../src/fleet/seen-nodes.ts';

let now = 0;
beforeEach(() => {
  now = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** Creates a node. `watch` makes it look once a second, for the given seconds, while the given nodes are connected. */
function startWatching(ownName: string | undefined = 'me') {
  let connected: string[] = [];
  const findConnected = async () => connected.map((name) => ({ name, roles: [`role of ${name}`] }));
  const nodes = createSeenNodes({ ownName, findConnected });
  async function watch(seconds: number, ...names: string[]) {
    connected = names;
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      await nodes.look();
    }
  }
  return { nodes, watch };
}

describe('A node without a connection', () => {
  it('is gone after 12 s, and not before', async () => {
    const { nodes, watch } = startWatching();
    await watch(1, 'me', 'other');
    await watch(11, 'me');
    expect(nodes.isGone('other')).toBe(false);
    now += 999;
    expect(nodes.isGone('other')).toBe(false);
    now += 1;
    expect(nodes.isGone('other')).toBe(true);
    expect(nodes.isGone('me')).toBe(false);
  });

  it('is gone for a node that never saw it, 12 s after its first look', async () => {
    const { nodes, watch } = startWatching();
    await watch(12, 'me');
    expect(nodes.isGone('other')).toBe(false);
    await watch(1, 'me');
    expect(nodes.isGone('other')).toBe(true);
  });

  it('is not gone if it was connected at one look in between', async () => {
    const { nodes, watch } = startWatching();
    await watch(11, 'me');
    await watch(1, 'me', 'other');
    await watch(11, 'me');
    expect(nodes.isGone('other')).toBe(false);
  });

  it('is not gone for a node that cannot see its own connection', async () => {
    const { nodes, watch } = startWatching();
    await watch(30);
    expect([nodes.isGone('other'), nodes.isGone('me')]).toEqual([false, false]);
  });

  it('is not gone for a node without a name, which the others cannot see either', async () => {
    const { nodes, watch } = startWatching(undefined);
    await watch(30, 'other');
    expect(nodes.isGone('third')).toBe(false);
  });

  it('is not gone for a node that was frozen, until it has watched for 12 s again', async () => {
    const { nodes, watch } = startWatching();
    await watch(2, 'me');
    now += 60_000;
    expect(nodes.isGone('other')).toBe(false);
    await watch(12, 'me');
    expect(nodes.isGone('other')).toBe(false);
    await watch(1, 'me');
    expect(nodes.isGone('other')).toBe(true);
  });
});

describe('The active roles', () => {
  it('are the roles of all nodes that were connected in the last 12 s', async () => {
    const { nodes, watch } = startWatching();
    await watch(1, 'me', 'other');
    await watch(11, 'me');
    expect(await nodes.findRoles()).toEqual(new Set(['role of me', 'role of other']));
    await watch(1, 'me');
    expect(await nodes.findRoles()).toEqual(new Set(['role of me']));
  });
});
