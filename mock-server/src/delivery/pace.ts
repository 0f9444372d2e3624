import { SLOW_ATTEMPT_MS } from './limits.ts';

/** What this node has learned of how an endpoint answers. */
export interface Pace {
  /** Attempts that it may have in flight. */
  window: number;
  /** Whether its latest attempt held its slot for long. */
  slow: boolean;
}

/** Attempts in flight to an endpoint of which nothing is known: a hundred that hang do not take a node's slots at once. */
const FIRST_WINDOW = 2;
/** Endpoints remembered; beyond that all are learned anew. */
const REMEMBERED_MAX = 10_000;

/** Learns how endpoints answer: each answer, whatever its status, opens the window by one, up to `windowMax`. */
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
