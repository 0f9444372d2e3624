import { check } from './check.ts';
import { UsageError } from './errors.ts';

/**
 * Returns the query string of a call. Arrays are joined with commas, dates are in ISO 8601, and undefined values are
 * left out. Throws for a null value, because the service would search for `null`.
 */
export function searchOf(query?: object): string {
  // `Object.entries` would read the characters of a string, and nothing of a `URLSearchParams`.
  check(!(query as { [Symbol.iterator]?: unknown } | undefined)?.[Symbol.iterator], 'query must be an object');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    try {
      if (value !== undefined) search.set(name, value.toISOString?.() ?? value);
    } catch {
      throw new UsageError(`${name} is null or an invalid date`);
    }
  }
  const text = `${search}`;
  return text && `?${text}`;
}
