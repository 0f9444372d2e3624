import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Browsers limit writes to the history, so the page writes only after scrolling ends. */
const KEEP_AFTER_MS = 100;

/** A message between tabs. `top` is the scroll position in pixels. A message without `top` asks for the position. */
interface ScrollMessage {
  url: string;
  top?: number;
}

const mainArea = () => document.getElementById('main');

/** Returns the scroll position at which the user left this entry in the history. */
const keptTop = (): number | undefined => (history.state as { top?: number } | null)?.top;

/**
 * After Back, Forward or a reload, the page loads the list up to the stored position and scrolls to it. A new tab has
 * no stored position yet, so it asks the other tabs that show the same URL for their position.
 */
export function useKeptScroll(length: number, hasMore: boolean, onMore: () => void): void {
  const wanted = useRef(keptTop() ?? 0);
  const [responses, setResponses] = useState(0);
  useLayoutEffect(() => {
    const main = mainArea();
    if (!main || wanted.current === 0 || length === 0) return;
    main.scrollTop = wanted.current;
    if (main.scrollTop >= wanted.current - 1 || !hasMore) wanted.current = 0;
    else onMore();
  }, [length, hasMore, onMore, responses]);
  useEffect(() => {
    const main = mainArea();
    const channel = new BroadcastChannel(`svc-dashboard scroll ${document.baseURI}`);
    let asks = keptTop() === undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (message: ScrollMessage) => channel.postMessage(message);
    channel.onmessage = ({ data: { url, top } }: MessageEvent<ScrollMessage>) => {
      if (url !== location.href) return;
      if (top === undefined) {
        if (main?.scrollTop) tell({ url, top: main.scrollTop });
      } else if (asks) {
        asks = false;
        wanted.current = top;
        setResponses((count) => count + 1);
      }
    };
    if (asks) tell({ url: location.href });
    const keep = () => {
      asks = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (wanted.current === 0) history.replaceState({ top: main?.scrollTop }, '');
      }, KEEP_AFTER_MS);
    };
    main?.addEventListener('scroll', keep, { passive: true });
    return () => {
      clearTimeout(timer);
      channel.close();
      main?.removeEventListener('scroll', keep);
    };
  }, []);
}
