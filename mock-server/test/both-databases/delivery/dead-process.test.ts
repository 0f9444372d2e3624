import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patience } from '@svc/testing';
import { describe, expect, it, vi } from 'vitest';
import { createIds } from '../../../src/runtime/ids.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine } from '../../support/delivery/world.ts';

describe('Deliveries: at least once', () => {
  it('deliveries in flight when a process dies are made by the next on the same file, with the same webhook-id', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deliveries-'));
    try {
      const file = join(folder, 'data.sqlite');
      await using receiver = await startReceiver(() => {});
      const world = await createWorld(await openSqlite(file));
      await addEndpoint(world, receiver.url);
      // This engine hangs with both deliveries in flight and is never heard of again.
      const lost = await startEngine(world, { paused: false });
      const ids = await emit(world, 2);
      lost.wake();
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(2));

      receiver.answer = status(200);
      await using storage = await openSqlite(file);
      const { clock, masterKey } = world;
      await using engine = await startEngine({ storage, clock, masterKey, ids: createIds(clock) }, { paused: false });
      expect(await engine.whenIdle(patience())).toBe(true);
      for (const id of ids) expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 1 });
      expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...ids, ...ids].sort());
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
