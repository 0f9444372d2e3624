/** Waits between the attempts of the crash test: three attempts in all. */
export const RETRY_DELAYS_MS = [150, 300];

/**
 * How a receiver treats its deliveries, as the path of its URL says. `flaky` refuses every other request; `fickle`
 * refuses a delivery for good or takes it at once, as a coin falls.
 */
export const BEHAVIOURS = ['ok', 'flaky', 'fickle', 'slow', 'down'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];
