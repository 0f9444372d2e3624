import { RecentMap } from '../../runtime/recent-map.ts';
import { SLOW_ATTEMPT_MS } from '../tuning.ts';

export interface Pace {
  /** How many attempts to the endpoint may run at once. */
  window: number;
  slow: boolean;
}

export type Paces = ReturnType<typeof createPaces>;

/** An endpoint of unknown speed gets a small window, so that 100 hanging endpoints cannot use up all slots. */
const FIRST_WINDOW = 2;
const REMEMBERED_MAX = 100_000;

/**
 * Learns how endpoints respond. Every response, whatever its status, widens the endpoint's window by one. The window
 * never shrinks, but is forgotten once `REMEMBERED_MAX` other endpoints have been used more recently. An endpoint is
 * slow if its latest attempt took at least `SLOW_ATTEMPT_MS`.
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
