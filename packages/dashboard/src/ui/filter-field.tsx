import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

export const FILTERED_ABOVE = 10;

export function FilterField({
  label,
  text,
  onText,
  onEnter,
  takesFocus = false,
}: {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Called when the user presses Enter, to open the first match. */
  onEnter?: () => void;
  takesFocus?: boolean;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  return (
    <label class="search-field">
      <Icon name="search" size={14} />
      <span class="hidden-visually">{label}</span>
      <input
        ref={field}
        type="search"
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && onEnter?.()}
      />
    </label>
  );
}
