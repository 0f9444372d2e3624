import { RecentMap } from './recent-map.ts';

/**
 * Returns a function that returns true at most once per `intervalMs` for each key. Remembers only the `keysMax` most
 * recent keys. `now` is a monotonic clock in milliseconds.
 */
export function createThrottle(intervalMs: number, keysMax: number, now: () => number = () => performance.now()) {
  const latest = new RecentMap<number>(keysMax);
  return (key: string): boolean => {
    const at = now();
    if (at - (latest.get(key) ?? Number.NEGATIVE_INFINITY) < intervalMs) return false;
    latest.set(key, at);
    return true;
  };
}
