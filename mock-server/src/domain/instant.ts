/** Milliseconds since the epoch, on the virtual clock unless a name says otherwise. */
export type Instant = number;

/** Provides the time for stored timestamps, retry schedules and the expiry of secrets. */
export interface Clock {
  now(): Instant;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Reads an ISO 8601 instant with `Z` or an offset, in milliseconds since the epoch. `undefined` if it is not one. */
export function parseInstant(text: string): number | undefined {
  const at = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
