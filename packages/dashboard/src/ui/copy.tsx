import { useEffect, useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { textToCopy } from './copy-by-hand.ts';
import { Icon } from './icons.tsx';

const SHOWN_MS = 1_000;

/**
 * Copies a text. Without a secure context a page has no clipboard: then the text is selected where it is shown, or, if it is
 * not shown as a whole, in a dialog.
 */
async function copyText(text: string, button: Element): Promise<boolean> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const shown = [...(button.closest('[data-copied]')?.querySelectorAll('*') ?? [])];
  const whole = shown.find(({ textContent }) => textContent === text);
  if (whole) getSelection()?.selectAllChildren(whole);
  else textToCopy.value = text;
  return false;
}

/** Copies on a click and says so for a second. `text` may be made on the click. */
export function CopyButton({
  text,
  label = 'Copy',
  children,
  class: className = 'ghost small',
}: {
  text: string | (() => string | Promise<string>);
  label?: string;
  children?: preact.ComponentChildren;
  class?: string;
}) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const button = event.currentTarget as Element;
    try {
      const copied = await copyText(typeof text === 'string' ? text : await text(), button);
      setSaid(copied ? 'Copied' : 'Selected');
      announce(copied ? 'Copied' : 'Selected. Press Ctrl+C to copy');
    } catch {
      setSaid('Not copied');
    }
  };
  return (
    <button type="button" class={className} onClick={copy} aria-label={children ? undefined : label} title={label}>
      <Icon name={said === 'Copied' ? 'check' : 'copy'} size={14} />
      {children && <span>{said ?? children}</span>}
    </button>
  );
}
