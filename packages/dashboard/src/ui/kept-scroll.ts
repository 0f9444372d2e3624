import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** After the last move, because browsers limit how often the history may be written. */
const KEEP_AFTER_MS = 100;

const mainArea = () => document.getElementById('main');

/** Where the main area was scrolled to when this entry of the history was left. */
const keptTop = (): number => (history.state as { top?: number } | null)?.top ?? 0;

/**
 * Keeps in the history how far a list is scrolled. After back, forward or a reload, it loads the list as far as that and
 * scrolls there.
 */
export function useKeptScroll(length: number, hasMore: boolean, onMore: () => void): void {
  const wanted = useRef(keptTop());
  useLayoutEffect(() => {
    const main = mainArea();
    if (!main || wanted.current === 0 || length === 0) return;
    main.scrollTop = wanted.current;
    if (main.scrollTop >= wanted.current - 1 || !hasMore) wanted.current = 0;
    else onMore();
  }, [length, hasMore, onMore]);
  useEffect(() => {
    const main = mainArea();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (wanted.current === 0) history.replaceState({ top: main?.scrollTop }, '');
      }, KEEP_AFTER_MS);
    };
    main?.addEventListener('scroll', keep, { passive: true });
    return () => {
      clearTimeout(timer);
      main?.removeEventListener('scroll', keep);
    };
  }, []);
}
