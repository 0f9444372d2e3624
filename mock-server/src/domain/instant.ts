/** Milliseconds since the epoch, on the virtual clock unless the name of the variable says otherwise. */
export type Instant = number;

export interface Clock {
  now(): Instant;
}

/** Returns the earliest of the instants that are present, if any. */
export function earliest(...instants: readonly (Instant | null | undefined)[]): Instant | undefined {
  const present = instants.filter((instant) => typeof instant === 'number');
  return present.length === 0 ? undefined : Math.min(...present);
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses an ISO 8601 time that has `Z` or an offset. */
export function parseInstant(text: string): number | undefined {
  const at = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Rounds up. `Date.parse` rounds down, and such a lower bound would include the millisecond before the given time. */
export function firstMillisecondFrom(text: string): number {
  return Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0);
}
