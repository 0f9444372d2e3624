import { UsageError } from './errors.ts';

/**
 * Returns the query string of a call. Arrays are joined with commas, dates are in ISO 8601, and undefined values are
 * left out. Throws for null, because the service would search for the string `null`.
 */
export function searchOf(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    try {
      if (value !== undefined) search.set(name, value.toISOString?.() ?? value);
    } catch {
      throw new UsageError(`${name} is null or an invalid date`);
    }
  }
  const text = `${search}`;
  return text && `?${text}`;
}
