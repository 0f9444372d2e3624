import { setTimeout as delay } from 'node:timers/promises';
import { RecentMap } from '../../runtime/recent-map.ts';

/** After this many wrong tokens from one address within `WINDOW_MS`, the server delays each further rejection. */
const WRONG_MAX = 5;
const WINDOW_MS = 60_000;
/** The time between two delayed rejections for the same address. */
const APART_MS = 500;
/** The longest delay. Without this limit, one user's guesses could delay another user at the same address for hours. */
const WAIT_MAX_MS = 60_000;
const ADDRESSES_MAX = 10_000;

export type WrongTokens = ReturnType<typeof createWrongTokens>;

/** Slows down attempts to guess the admin token. `now` is a monotonic clock in milliseconds. */
export function createWrongTokens(
  now: () => number = () => performance.now(),
  wait: (ms: number, gone?: AbortSignal) => Promise<void> = waitFor,
) {
  /** For each address: the times of the latest wrong tokens, and the time when the last waiting request is rejected. */
  const guessesOf = new RecentMap<{ latest: number[]; lineEndsAt: number }>(ADDRESSES_MAX);
  return {
    /** Resolves when it is time to reject the token, or when `gone` aborts because the client has left. */
    async count(address: string, gone?: AbortSignal): Promise<void> {
      const at = now();
      const { latest, lineEndsAt } = guessesOf.get(address) ?? { latest: [], lineEndsAt: 0 };
      const isGuessing = latest.length === WRONG_MAX && at - (latest[0] ?? 0) < WINDOW_MS;
      const refusedAt = isGuessing ? Math.min(Math.max(at, lineEndsAt) + APART_MS, at + WAIT_MAX_MS) : at;
      guessesOf.set(address, { latest: [...latest, at].slice(-WRONG_MAX), lineEndsAt: refusedAt });
      if (isGuessing) await wait(refusedAt - at, gone);
    },
  };
}

const waitFor = (ms: number, gone?: AbortSignal) =>
  delay(ms, undefined, { ref: false, ...(gone && { signal: gone }) }).catch(() => {});
