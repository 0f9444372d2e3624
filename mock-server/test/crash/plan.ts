/** Waits between the attempts of the crash test: three attempts in all. */
export const RETRY_DELAYS_MS = [150, 300];

/** How a receiver treats its deliveries, as the path of its URL says. */
export const BEHAVIOURS = ['ok', 'flaky', 'slow', 'down'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];
