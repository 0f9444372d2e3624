import { useState } from 'preact/hooks';
import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/** A text that the server shows once. It is dropped when the dialog closes, which asks first. */
export function ShownOnce({
  title,
  what,
  text,
  snippets,
  onClose,
}: {
  title: string;
  /** For example "signing secret". */
  what: string;
  text: string;
  snippets: readonly (readonly [title: string, text: string])[];
  onClose: () => void;
}) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} sticky wide>
      <p>This {what} is shown once. Copy it now: the server never shows it again.</p>
      <Snippet title={what} text={text} />
      {snippets.map(([name, snippet]) => (
        <Snippet key={name} title={name} text={snippet} />
      ))}
      <footer>
        <button type="button" class="primary" disabled={!isCopied} onClick={onClose}>
          Done
        </button>
        <label class="check">
          <input type="checkbox" checked={isCopied} onChange={(event) => setCopied(event.currentTarget.checked)} />I
          have copied it
        </label>
      </footer>
    </Dialog>
  );
}

/** Code to paste. */
export function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <figure class="snippet">
      <figcaption>
        {title}
        <CopyButton text={text} label={`Copy ${title}`}>
          Copy
        </CopyButton>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard. */}
      <pre tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </figure>
  );
}
