import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import type { DeliveryObserver } from '../../../src/delivery/observer.ts';
import { takeAllLanes } from './sessions.ts';
import { emit, startWorld } from './world.ts';

/** A world with a running engine and an observer, in which the test answers the requests. */
export async function startWatched(options: Parameters<typeof startWorld>[1] = {}) {
  const open: ServerResponse[] = [];
  const outcomes: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const lanesLost: number[] = [];
  const observer: DeliveryObserver = {
    attemptStored: ({ outcome }) => void outcomes.push(outcome),
    roundEnded() {},
    lanesLost: (lanes) => void lanesLost.push(lanes),
    endpointDisabled() {},
  };
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const world = await startWorld((_request, response) => open.push(response), {
    paused: false,
    observer,
    logger,
    ...options,
  });
  const { storage, engine } = world;
  return {
    ...world,
    open,
    outcomes,
    lanesLost,
    /** The log lines about attempts. */
    attemptLines: () => lines.filter(({ msg }) => msg === 'attempt made'),
    async inFlight(count: number) {
      const ids = await emit(world, count);
      engine.wake();
      await vi.waitFor(() => expect(open).toHaveLength(count));
      return ids;
    },
    loseLanes: () => takeAllLanes(storage),
  };
}
