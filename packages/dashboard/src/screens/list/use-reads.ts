import { useCallback, useRef, useState } from 'preact/hooks';
import { reportAvailable, reportUnavailable } from '../../data/outage.ts';
import { isUnavailable } from '../../data/server-error.ts';

/** Reads parts of a list, one at a time. While the server does not respond, the list keeps the pages that it has. */
export function useReads(hasPages: () => boolean) {
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>();
  const [isStale, setStale] = useState(false);
  const current = useRef({ start: 0, busy: false });
  const caller = useRef({ shown: true, isShown: () => caller.current.shown });

  const attempt = useCallback(
    async (work: (isCurrent: () => boolean) => Promise<void>) => {
      const state = current.current;
      if (state.busy) return;
      state.busy = true;
      const { start } = state;
      const isCurrent = () => state.start === start;
      let isAway = false;
      try {
        await work(isCurrent);
        if (!isCurrent()) return;
        reportAvailable(caller.current);
        setStale(false);
        setError(undefined);
      } catch (problem) {
        if (!isCurrent()) return;
        isAway = isUnavailable(problem);
        if (isAway) reportUnavailable(caller.current);
        else reportAvailable(caller.current);
        if (isAway) setStale(hasPages());
        else setError(problem);
      } finally {
        // If another list has begun, the state belongs to that list, so leave the state unchanged.
        if (isCurrent()) {
          state.busy = false;
          // While the server does not respond, a list without rows still counts as loading, and the banner shows why.
          if (!isAway) setLoading(false);
        }
      }
    },
    [hasPages],
  );

  /** Begins another list. The results of the previous list's reads are ignored from now on. */
  const begin = useCallback(() => {
    current.current.start++;
    current.current.busy = false;
    caller.current.shown = true;
    setError(undefined);
    setLoading(true);
  }, []);

  const end = useCallback(() => {
    caller.current.shown = false;
  }, []);

  return { isLoading, error, isStale, attempt, begin, end };
}
