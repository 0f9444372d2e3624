/** Delays between the attempts of the crash test: three attempts in total. */
export const RETRY_DELAYS_MS = [150, 300];

/**
 * How a receiver treats its deliveries. The path of its URL names the behaviour. `flaky` rejects every other request.
 * `fickle` decides for each delivery at random: it rejects all its requests or accepts the first one.
 */
export const BEHAVIOURS = ['ok', 'flaky', 'fickle', 'slow', 'down'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];
