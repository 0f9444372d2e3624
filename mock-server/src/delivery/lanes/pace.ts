import { SLOW_ATTEMPT_MS } from '../limits.ts';

/** What this node has learned about an endpoint's answers. */
export interface Pace {
  /** The most attempts it may have in flight. */
  window: number;
  /** Whether its latest attempt was slow. */
  slow: boolean;
}

/** The window of an unknown endpoint. With it, a hundred endpoints that hang do not use up a node's slots at once. */
const FIRST_WINDOW = 2;
/** The most endpoints to remember. Beyond that, it forgets all of them. */
const REMEMBERED_MAX = 10_000;

/** Learns how endpoints answer. Each answer of any status widens the window by one, up to `windowMax`. */
export function createPaces(windowMax: number) {
  const paces = new Map<string, Pace>();
  return {
    of: (endpointId: string): Pace =>
      paces.get(endpointId) ?? { window: Math.min(FIRST_WINDOW, windowMax), slow: false },

    learn(endpointId: string, attempt: { answered: boolean; durationMs: number }): Pace {
      const before = this.of(endpointId);
      if (paces.size >= REMEMBERED_MAX) paces.clear();
      const pace = {
        window: attempt.answered ? Math.min(before.window + 1, windowMax) : before.window,
        slow: attempt.durationMs >= SLOW_ATTEMPT_MS,
      };
      paces.set(endpointId, pace);
      return pace;
    },
  };
}
