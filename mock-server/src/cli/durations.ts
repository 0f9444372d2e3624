import { parseDuration } from '../domain/duration.ts';
import { UsageError } from './exit.ts';

/** @throws {@link UsageError} if the string is not a duration. */
export function durationMsOf(option: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new UsageError(`${option} must be a duration such as 30s, 5m, 12h, 3d or PT5M, not "${text}".`);
}

/**
 * Parses a time, or a duration that is subtracted from the current time. Returns the resulting time.
 *
 * @throws {@link UsageError} if the string is neither.
 */
export function instantOf(option: string, text: string, nowMs: number): string {
  const ms = parseDuration(text);
  if (ms !== undefined) return new Date(nowMs - ms).toISOString();
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return new Date(at).toISOString();
  throw new UsageError(`${option} must be a duration such as 1d, or an ISO 8601 time, not "${text}".`);
}
