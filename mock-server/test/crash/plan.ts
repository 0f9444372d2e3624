/** Delays between the attempts of the crash test: three attempts in total. */
export const RETRY_DELAYS_MS = [150, 300];

/**
 * How a receiver treats its deliveries. The path of its URL names the behaviour. `flaky` rejects every other request.
 * For each delivery, `fickle` decides at random whether to reject all requests or to accept the first request.
 */
export const BEHAVIOURS = ['ok', 'flaky', 'fickle', 'slow', 'down'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];
