import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Snippet } from './snippet.tsx';

/**
 * A dialog for a value that is shown only once. The user must confirm that they have copied the value before they can
 * close the dialog.
 */
export function ShownOnce({
  title,
  what,
  text,
  snippets,
  onClose,
}: {
  title: string;
  /** The name of the value, for example "signing secret". */
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
