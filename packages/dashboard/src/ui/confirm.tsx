import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../data/server-error.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** Asks the user to confirm an action that cannot be undone. The text of the button names what the action affects. */
export function Confirm({
  title,
  action,
  children,
  run,
  onClose,
}: {
  title: string;
  action: string;
  children: ComponentChildren;
  run: () => Promise<unknown>;
  onClose: () => void;
}) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await run();
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      {problem && <Problem>{problem}</Problem>}
      <footer>
        <button type="button" class="danger" disabled={isBusy} onClick={confirm}>
          {action}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  );
}
