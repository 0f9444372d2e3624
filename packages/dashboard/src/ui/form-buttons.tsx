import type { ComponentChildren } from 'preact';

/** The buttons of a form in a dialog: one submits it, one closes the dialog. */
export function FormButtons({
  submit,
  class: className = 'primary',
  isBusy = false,
  onClose,
}: {
  submit: ComponentChildren;
  class?: string;
  isBusy?: boolean;
  onClose: () => void;
}) {
  return (
    <footer>
      <button type="submit" class={className} disabled={isBusy}>
        {submit}
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </footer>
  );
}
