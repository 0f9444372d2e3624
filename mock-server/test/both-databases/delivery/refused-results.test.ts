import { describe, expect, it, vi } from 'vitest';
import type { Storage } from '../../../src/storage/port.ts';
import { createFakeTimers } from '../../support/delivery/fake-timers.ts';
import { startNode } from '../../support/delivery/node.ts';
import { addEndpoint, attemptsOf, createWorld, deliveryOf, emit } from '../../support/delivery/world.ts';

const REFUSED_RETRY_MS = 5_000;

/** A storage that refuses each batch of results with the given text, as a constraint of the database does. */
function refusing(storage: Storage, isRefused: () => string | undefined): Storage {
  return {
    read: (work) => storage.read(work),
    write: (work) => storage.write(work),
    writeAtOnce: (statementsFor) =>
      storage.writeAtOnce((database) => {
        const statements = statementsFor(database);
        const text = isRefused();
        if (text !== undefined && JSON.stringify(statements.map(({ parameters }) => parameters)).includes(text))
          throw new Error('constraint failed');
        return statements;
      }),
    async [Symbol.asyncDispose]() {},
  };
}

describe('Results that the database refuses', () => {
  it('delay only their own endpoint, and are stored once the database accepts them', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const refused = await addEndpoint(world, 'https://refused.test/hook');
    await addEndpoint(world, 'https://first.test/hook');
    await addEndpoint(world, 'https://second.test/hook');
    const ids = await emit(world);
    const timers = createFakeTimers();
    let text: string | undefined = refused.id;
    await using node = startNode({ ...world, storage: refusing(storage, () => text) }, { timers });
    await vi.waitFor(() => expect(node.requests).toHaveLength(3));
    for (const request of node.requests) request.answer(200);
    await timers.pass(100);
    await vi.waitFor(() => expect(node.outcomes).toEqual(['success', 'success']));
    const statuses = async () => {
      const deliveries = await Promise.all(ids.map((id) => deliveryOf(storage, id)));
      return deliveries.map(({ endpoint_id, status }) => [endpoint_id === refused.id, status]).sort();
    };
    expect(await statuses()).toEqual([
      [false, 'success'],
      [false, 'success'],
      [true, 'pending'],
    ]);
    expect(node.dispatcher.isHealthy()).toBe(true);

    // Later results of other endpoints do not wait either.
    await emit(world);
    node.dispatcher.wake();
    await timers.pass(100);
    await vi.waitFor(() => expect(node.requests).toHaveLength(6));
    for (const request of node.requests.slice(3)) request.answer(200);
    await timers.pass(100);
    await vi.waitFor(() => expect(node.outcomes).toHaveLength(4));

    text = undefined;
    await timers.pass(REFUSED_RETRY_MS);
    await vi.waitFor(() => expect(node.outcomes).toHaveLength(6));
    expect(await statuses()).toEqual([
      [false, 'success'],
      [false, 'success'],
      [true, 'success'],
    ]);
    for (const id of ids) expect(await attemptsOf(storage, id)).toHaveLength(1);
  });

  it('do not delay other results of the same endpoint', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, 'https://first.test/hook');
    const ids = await emit(world, 2);
    const [refusedId] = ids;
    const timers = createFakeTimers();
    let text: string | undefined = refusedId;
    await using node = startNode({ ...world, storage: refusing(storage, () => text) }, { timers });
    await vi.waitFor(() => expect(node.requests).toHaveLength(2));
    for (const request of node.requests) request.answer(200);
    await timers.pass(100);
    await vi.waitFor(() => expect(node.outcomes).toEqual(['success']));
    const statuses = () => Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
    expect(await statuses()).toEqual(['pending', 'success']);
    expect(node.dispatcher.isHealthy()).toBe(true);

    text = undefined;
    await timers.pass(REFUSED_RETRY_MS);
    await vi.waitFor(() => expect(node.outcomes).toHaveLength(2));
    expect(await statuses()).toEqual(['success', 'success']);
    for (const id of ids) expect(await attemptsOf(storage, id)).toHaveLength(1);
  });
});
