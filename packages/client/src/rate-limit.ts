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
  // No parameter stands in both.
  const both = `${headers.get('RateLimit-Policy')} ${headers.get('RateLimit')}`;
  const found: Record<string, number> = {};
  for (const [, name = '', digits] of both.matchAll(/;\s*([qrt])=(\d{1,12})\b/g)) found[name] ??= Number(digits);
  const { q, r, t } = found as { q: number; r: number; t: number };
  return q + r + t >= 0 ? { limit: q, remaining: r, resetAt: new Date(now + t * 1000) } : null;
}

/**
 * Reads `Retry-After`, seconds or a date, as milliseconds from `now`; null where it is missing or neither.
 *
 * Where proxies added one, it comes as a list: the longest wait holds. Engines read almost any text as some date, so the
 * form is looked at first.
 */
export function parseRetryAfter(headers: ReadableHeaders, now: number): number | null {
  // Seconds, or a date as RFC 9110 (section 5.6.7) writes it, or wrote it before.
  const form = /(?:^|,)\s*(?:(\d[\d.]*)|(\w+, \d\d[- ]\w{3}[- ]\d{2,4} \d\d:\d\d:\d\d GMT))\s*(?=,|$)/g;
  let waitMs: number | null = null;
  for (const [, seconds, date = ''] of `${headers.get('Retry-After')}`.matchAll(form)) {
    const ms = seconds ? Math.min(+seconds, 2 ** 31) * 1000 : Math.max(0, Date.parse(date) - now);
    if (ms >= (waitMs ?? 0)) waitMs = ms;
  }
  return waitMs;
}
