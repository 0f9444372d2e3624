import type { ServerResponse } from 'node:http';
import { expect, vi } from 'vitest';
import { emit, startWorld } from './world.ts';

/** A world whose running engine has a delivery in flight. The test answers the requests in `open`. */
export async function startInFlight(options: Parameters<typeof startWorld>[1] = {}) {
  await using cleanup = new AsyncDisposableStack();
  const open: ServerResponse[] = [];
  const world = cleanup.use(
    await startWorld((_request, response) => open.push(response), { paused: false, ...options }),
  );
  const [id] = await emit(world);
  world.engine.wake();
  await vi.waitFor(() => expect(open).toHaveLength(1));
  const owned = cleanup.move();
  return { ...world, open, id, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
