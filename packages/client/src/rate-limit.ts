/**
 * Where the credential's rate limit stands, as an answer told it.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface RateLimit {
  /** Requests in one window. */
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** When the next window begins, by this machine's clock. */
  resetAt: Date;
}

interface ReadableHeaders {
  get(name: string): string | null;
}

/** Reads `RateLimit-Policy` and `RateLimit` (IETF draft "RateLimit header fields for HTTP"); null where either is missing. */
export function parseRateLimit(headers: ReadableHeaders, now: number): RateLimit | null {
  const number = (header: string, parameter: string) =>
    Number(new RegExp(`;\\s*${parameter}=(\\d+)`).exec(headers.get(header) ?? '')?.[1] ?? Number.NaN);
  const limit = number('RateLimit-Policy', 'q');
  const remaining = number('RateLimit', 'r');
  const seconds = number('RateLimit', 't');
  return limit + remaining + seconds >= 0 ? { limit, remaining, resetAt: new Date(now + seconds * 1000) } : null;
}

/** Reads `Retry-After`, seconds or a date, as milliseconds from `now`; null where it is missing or neither. */
export function parseRetryAfter(headers: ReadableHeaders, now: number): number | null {
  const text = headers.get('Retry-After')?.trim();
  if (!text) return null;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(seconds) && date ? Math.max(0, date - now) : null;
}
