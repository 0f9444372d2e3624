import { useEffect, useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { Icon } from './icons.tsx';

const SHOWN_MS = 1_000;

/**
 * Copies a string to the clipboard, and returns true. In an insecure context, there is no clipboard, so the function
 * selects the string in a hidden field for the user to copy, and returns false.
 */
async function copyText(text: string, button: Element): Promise<boolean> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const field = document.createElement('textarea');
  field.className = 'hidden-visually';
  field.ariaLabel = 'Text to copy';
  field.readOnly = true;
  field.value = text;
  field.onblur = () => field.remove();
  button.after(field);
  field.select();
  return false;
}

/** Copies `text`, which may be a function that creates the string when the user clicks. */
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
