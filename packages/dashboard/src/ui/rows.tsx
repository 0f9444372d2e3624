import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { useKeptScroll } from './kept-scroll.ts';

/**
 * The height of a row in pixels. A row has one line, or two lines in a narrow window. The style sheet sets the same
 * heights.
 */
const ROW_HEIGHT = 36;
const NARROW_ROW_HEIGHT = 56;
const NARROW = '(max-width: 720px)';
const LOAD_AHEAD_ROWS = 30;

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const update = () => setNarrow(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isNarrow;
}

/**
 * Shows the rows of a long list. Only rows in view are in the document. The page's main area scrolls, not the table.
 */
export function Rows<Item extends { id: string }>({
  items,
  hasMore,
  onMore,
  onSee,
  children,
}: {
  items: readonly Item[];
  hasMore: boolean;
  onMore: () => void;
  onSee: (from: number, to: number) => void;
  children: (item: Item) => ComponentChildren;
}) {
  const body = useRef<HTMLDivElement>(null);
  const [, update] = useReducer((count: number) => count + 1, 0);
  const height = useNarrow() ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  const [virtualizer] = useState(
    () =>
      new Virtualizer<HTMLElement, HTMLElement>({
        count: 0,
        getScrollElement: () => document.getElementById('main'),
        estimateSize: () => height,
        scrollToFn: elementScroll,
        observeElementRect,
        observeElementOffset,
      }),
  );
  virtualizer.setOptions({
    ...virtualizer.options,
    count: items.length,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: body.current?.offsetTop ?? 0,
    getItemKey: (index) => items[index]?.id ?? index,
    onChange: () => update(undefined as never),
  });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);
  const shown = virtualizer.getVirtualItems();
  const from = shown[0]?.index ?? 0;
  const to = (shown.at(-1)?.index ?? 0) + 1;
  useEffect(() => {
    onSee(from, to);
    if (hasMore && to + LOAD_AHEAD_ROWS > items.length) onMore();
  }, [from, to, items.length, hasMore, onMore, onSee]);
  useKeptScroll(items.length, hasMore, onMore);
  return (
    <div role="rowgroup" ref={body} class="rows" style={{ height: `${virtualizer.getTotalSize()}px` }}>
      {shown.map(({ index, start, key }) => {
        const item = items[index];
        if (!item) return null;
        return (
          <div
            role="row"
            key={key}
            class="row-line"
            aria-rowindex={index + 2}
            style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)`, height: `${height}px` }}
          >
            {children(item)}
          </div>
        );
      })}
    </div>
  );
}

/** Shows placeholders with the height of the final rows. */
export function SkeletonRows({ count = 8, columns }: { count?: number; columns: number }) {
  return (
    <div class="rows skeletons" aria-hidden="true">
      {Array.from({ length: count }, (_, row) => (
        <div key={row} class="row-line">
          {Array.from({ length: columns }, (_cell, column) => (
            <span key={column} class="skeleton" />
          ))}
        </div>
      ))}
    </div>
  );
}
