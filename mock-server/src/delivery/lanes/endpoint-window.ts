import { RecentMap } from '../../runtime/recent-map.ts';
import { SLOW_ATTEMPT_MS } from '../tuning.ts';

export interface Pace {
  /** The maximum number of attempts to the endpoint that may run at once. */
  window: number;
  /** Whether the endpoint's latest attempt was slow. */
  slow: boolean;
}

export type Paces = ReturnType<typeof createPaces>;

/**
 * The window of an endpoint whose speed is not known yet. The window is small, so that a hundred hanging endpoints
 * cannot use up all of a node's slots.
 */
const FIRST_WINDOW = 2;
const REMEMBERED_MAX = 100_000;

/**
 * Learns how endpoints respond. Every response, whatever its status, widens the endpoint's window by one, up to
 * `windowMax`. The window never shrinks, but the node forgets it if it has used 100,000 other endpoints since.
 */
export function createPaces(windowMax: number) {
  const paces = new RecentMap<Pace>(REMEMBERED_MAX);
  const of = (endpointId: string): Pace =>
    paces.get(endpointId) ?? { window: Math.min(FIRST_WINDOW, windowMax), slow: false };
  return {
    of,

    learn(endpointId: string, attempt: { responded: boolean; durationMs: number }): Pace {
      const { window } = of(endpointId);
      const pace = {
        window: attempt.responded ? Math.min(window + 1, windowMax) : window,
        slow: attempt.durationMs >= SLOW_ATTEMPT_MS,
      };
      paces.set(endpointId, pace);
      return pace;
    },
  };
}
