import { useState } from 'preact/hooks';
import { visiblePieces } from '../format/text.ts';

/**
 * Shows untrusted text: the text cannot change the direction of the text around it, and its invisible characters appear
 * as escapes.
 */
export function VisibleText({ text }: { text: string }) {
  return (
    <bdi>
      {visiblePieces(text).map((piece) => (piece.isEscape ? <span class="escape">{piece.text}</span> : piece.text))}
    </bdi>
  );
}

const FOLDED_ABOVE = 16 * 1024;

/** Shows untrusted text as {@link VisibleText} does, but in a box that at first shows only the start of a long text. */
export function HostileText({ text, label }: { text: string; label: string }) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = text.length > FOLDED_ABOVE && !isOpen;
  const shown = isFolded ? text.slice(0, FOLDED_ABOVE) : text;
  return (
    <div class="code-box">
      {/* Make the region focusable, so that users can scroll it with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
        <VisibleText text={shown} />
      </pre>
      {isFolded && (
        <button type="button" class="small" onClick={() => setOpen(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </div>
  );
}
