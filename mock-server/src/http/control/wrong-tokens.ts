import { setTimeout as delay } from 'node:timers/promises';
import { RecentMap } from '../../runtime/recent-map.ts';

/** After this many wrong tokens from an address within the window, the rejection of each further token is delayed. */
const WRONG_MAX = 5;
const WINDOW_MS = 60_000;
/** The requests of one address are rejected one after the other. This is the time between two delayed rejections. */
const APART_MS = 500;
/**
 * The longest delay of a rejection. Two users can have the same address. Without this limit, guesses of one user could
 * delay the rejection of the other user's mistyped token by hours.
 */
const WAIT_MAX_MS = 60_000;
/** How many addresses to keep. The address that has sent no wrong token for the longest time is removed first. */
const ADDRESSES_MAX = 10_000;

export type WrongTokens = ReturnType<typeof createWrongTokens>;

interface Guesses {
  /** The times of the latest wrong tokens, oldest first. */
  latest: number[];
  /** When the last waiting request will be rejected. */
  lineEndsAt: number;
}

/**
 * Slows down attempts to guess the admin token.
 *
 * @param now - A clock in milliseconds that is independent of the virtual time.
 */
export function createWrongTokens(
  now: () => number = () => performance.now(),
  wait: (ms: number, gone?: AbortSignal) => Promise<void> = waitFor,
) {
  const guessesOf = new RecentMap<Guesses>(ADDRESSES_MAX);
  return {
    /** Counts a wrong token. Resolves when it is time to reject the token, or when the client has left (`gone`). */
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
