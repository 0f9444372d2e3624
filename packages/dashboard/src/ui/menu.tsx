import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A button that opens a small panel below it. It closes on Escape, on a click elsewhere, and when a choice is made. */
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
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: Event) => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('focusin', onPointer);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('focusin', onPointer);
    };
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard wherever the focus is inside.
    <div
      class="menu"
      ref={ref}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        ref={opener}
        class={className}
        aria-expanded={isOpen}
        {...(label && { 'aria-label': label, title: label })}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div class={`panel align-${align}`}>{typeof children === 'function' ? children(close) : children}</div>
      )}
    </div>
  );
}
