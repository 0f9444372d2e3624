import { formatDuration } from '../../domain/duration.ts';

/** Formats a time for people: relative to the service's clock, and absolute. */
export function formatInstant(instant: string | null | undefined, nowMs: number): string {
  if (instant == null) return '';
  return `${instant} (${relativeTo(Date.parse(instant), nowMs)})`;
}

/** Formats a time relative to now, such as `5 min ago`, `in 2 h 30 min` or `now`. */
export function relativeTo(atMs: number, nowMs: number): string {
  const differenceMs = atMs - nowMs;
  if (Math.abs(differenceMs) < 1_000) return 'now';
  const length = formatDuration(Math.abs(differenceMs));
  return differenceMs < 0 ? `${length} ago` : `in ${length}`;
}
