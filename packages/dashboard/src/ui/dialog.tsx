import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

/** The fields that may get the first focus: no checkboxes or radio buttons, because users must first read the text. */
const FIELD = 'input:not([type=checkbox], [type=radio]), textarea, select';

/**
 * Escape closes a modal dialog that is not `sticky`. The focus then returns to the element that had the focus before.
 */
export function Dialog({
  title,
  onClose,
  children,
  sticky = false,
  wide = false,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  sticky?: boolean;
  wide?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    ref.current?.showModal();
    // Focus the first field. Otherwise, the browser would focus the first button, which is usually Close.
    ref.current?.querySelector<HTMLElement>(FIELD)?.focus();
    return () => opener?.isConnected && opener.focus();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!sticky) onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!sticky && (
          <button type="button" class="ghost icon-only" aria-label="Close" onClick={onClose}>
            <Icon name="cross" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
