import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../data/server-error.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

export interface Form {
  problem: string | undefined;
  setProblem: (problem: string | undefined) => void;
  isBusy: boolean;
  onSubmit: (event: SubmitEvent) => Promise<void>;
}

/** Sends a form with `send`, and shows the error that `send` throws. `text` returns the text of a field. */
export function useForm(send: (text: (field: string) => string, fields: FormData) => Promise<unknown>): Form {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await send((field) => String(fields.get(field) ?? '').trim(), fields);
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return { problem, setProblem, isBusy, onSubmit };
}

/**
 * Returns the fields that the user has changed. Forms send only these fields, so that they do not undo changes that
 * somebody else made after the form was opened.
 */
export const changedFields = <Fields extends object>(before: Readonly<Fields>, after: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]),
    ),
  ) as Partial<Fields>;

/** Shows a form in a dialog. If the server rejects the form, the reason is in the element `${name}-problem`. */
export function FormDialog({
  title,
  name,
  form: { problem, isBusy, onSubmit },
  shownProblem = problem ?? '',
  children,
  validates = false,
  wide = false,
  ...buttons
}: {
  title: string;
  name: string;
  form: Form;
  /** The message below the fields. Default: `form.problem`. Empty if one of the fields shows the problem. */
  shownProblem?: string;
  children: ComponentChildren;
  validates?: boolean;
  wide?: boolean;
} & Omit<Parameters<typeof FormButtons>[0], 'isBusy'>) {
  return (
    <Dialog title={title} onClose={buttons.onClose} wide={wide}>
      <form onSubmit={onSubmit} noValidate={!validates}>
        {children}
        <Problem id={`${name}-problem`}>{shownProblem}</Problem>
        <FormButtons {...buttons} isBusy={isBusy} />
      </form>
    </Dialog>
  );
}

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
