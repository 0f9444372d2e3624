import { useEffect, useRef } from 'preact/hooks';
import { textToCopy } from './copy-by-hand.ts';
import { Dialog } from './dialog.tsx';

/** Shows a text selected, to be copied by hand. */
export function CopyDialog({ text }: { text: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, []);
  const close = () => {
    textToCopy.value = undefined;
  };
  return (
    <Dialog title="Press Ctrl+C to copy" onClose={close} wide>
      <p class="quiet">
        Browsers let a page copy only over https, or on localhost. The text is selected: copy it yourself.
      </p>
      <label class="field">
        <span>Text to copy</span>
        <textarea ref={area} class="mono" rows={8} readOnly value={text} />
      </label>
      <footer>
        <button type="button" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}
