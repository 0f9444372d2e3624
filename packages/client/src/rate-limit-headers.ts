/**
 * The state of the credential's rate limit, from the headers of a response. The service document does not show these
 * headers. The reference server sends the headers of an IETF draft.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface RateLimit {
  /** The number of requests allowed in one window. */
  limit: number;
  /** The number of requests left in this window. */
  remaining: number;
  /** The time when the next window starts, by this machine's clock. */
  resetAt: Date;
}

interface ReadableHeaders {
  get(name: string): string | null;
}

/**
 * Reads `RateLimit-Policy` and `RateLimit` (IETF draft "RateLimit header fields for HTTP"). Returns null if a value is
 * missing or malformed, or if the limit is 0, because such a limit would stop the client forever.
 */
export function parseRateLimit(headers: ReadableHeaders, now: number): RateLimit | null {
  // Only `RateLimit-Policy` has `q`, and only `RateLimit` has `r` and `t`, so read both headers as one string.
  const both = `${headers.get('RateLimit-Policy')} ${headers.get('RateLimit')}`;
  const found: Record<string, number> = {};
  for (const [, name = '', digits = 0] of both.matchAll(/;\s*([qrt])=(\d{1,12})\b/g)) found[name] ??= +digits;
  const { q: limit, r: remaining, t: seconds } = found;
  if (!limit || remaining === undefined || seconds === undefined) return null;
  return { limit, remaining, resetAt: new Date(now + seconds * 1000) };
}

/**
 * Reads `Retry-After` (seconds or a date), and returns the wait from `now` in milliseconds. Returns null if the header
 * is missing or malformed.
 *
 * If proxies add more values, the header is a list, and the longest wait counts. JavaScript engines parse almost any
 * string as a date, so check the format first.
 */
export function parseRetryAfter(headers: ReadableHeaders, now: number): number | null {
  // The value is a number of seconds, or a date in the current form of RFC 9110 (section 5.6.7) or in the obsolete form
  // of RFC 850.
  const form = /(?:^|,)\s*(?:(\d[\d.]*)|(\w+, \d\d[- ]\w{3}[- ]\d{2,4} \d\d:\d\d:\d\d GMT))\s*(?=,|$)/g;
  let waitMs: number | null = null;
  for (const [, seconds, date = ''] of `${headers.get('Retry-After')}`.matchAll(form)) {
    const ms = seconds ? Math.min(+seconds, 2 ** 31) * 1000 : Math.max(0, Date.parse(date) - now);
    if (ms >= (waitMs ?? 0)) waitMs = ms;
  }
  return waitMs;
}
