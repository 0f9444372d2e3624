import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placePanel } from './place-panel.ts';

/**
 * While the panel is open, an invisible element covers the page, so that nobody clicks a half-hidden button by mistake.
 */
export function Menu({
  button,
  label,
  children,
  class: className = 'ghost',
  align = 'start',
}: {
  button: ComponentChildren;
  label?: string;
  children: ComponentChildren | ((close: () => void) => ComponentChildren);
  class?: string;
  align?: 'start' | 'end';
}) {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useClosing(isOpen, ref, { leave: () => setOpen(false), dismiss: close });
  usePlace(isOpen, opener, panel, align);
  return (
    <div class="menu" ref={ref}>
      <button
        type="button"
        ref={opener}
        class={className}
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard closes the menu with Escape. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
          <div class="veil" onClick={close} />
          <div class="panel" ref={panel}>
            {typeof children === 'function' ? children(close) : children}
          </div>
        </>
      )}
    </div>
  );
}

/** Closes the menu when the focus moves elsewhere, or when the user presses Escape. */
function useClosing(
  isOpen: boolean,
  ref: RefObject<HTMLElement | null>,
  { leave, dismiss }: { leave: () => void; dismiss: () => void },
): void {
  // `useEffect` would run after painting, and might miss an immediate Escape.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const onFocus = (event: Event) => {
      if (!ref.current?.contains(event.target as Node)) leave();
    };
    // Listen on the document, because the menu gets no keyboard events after one of its buttons is disabled and loses
    // the focus.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      dismiss();
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [isOpen]);
}

function usePlace(
  isOpen: boolean,
  opener: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
  align: 'start' | 'end',
): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const place = () => {
      if (!opener.current || !panel.current) return;
      const { offsetWidth: width, scrollHeight: height, style } = panel.current;
      const window = { width: document.documentElement.clientWidth, height: innerHeight };
      const { left, top, maxHeight } = placePanel(
        opener.current.getBoundingClientRect(),
        { width, height },
        window,
        align,
      );
      Object.assign(style, { left: `${left}px`, top: `${top}px`, maxHeight: `${maxHeight}px` });
    };
    place();
    // Place the panel again when the page scrolls under it, and when an on-screen keyboard makes the window smaller.
    addEventListener('resize', place);
    document.addEventListener('scroll', place, { capture: true, passive: true });
    return () => {
      removeEventListener('resize', place);
      document.removeEventListener('scroll', place, { capture: true });
    };
  }, [isOpen, align]);
}
