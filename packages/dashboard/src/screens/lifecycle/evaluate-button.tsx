import { useState } from 'preact/hooks';
import { evaluateNow } from '../../data/lifecycle.ts';
import { eventUrl } from '../../routes.ts';
import { Icon } from '../../ui/icons.tsx';
import { orToast, toast } from '../../ui/toast.tsx';

export function EvaluateButton({ workspaceId }: { workspaceId: string }) {
  const [isBusy, setBusy] = useState(false);
  const evaluate = async () => {
    setBusy(true);
    await orToast(async () => {
      const { profiles, changed, eventId } = await evaluateNow(workspaceId);
      const count = (number: number) => number.toLocaleString('en');
      toast(`Evaluated ${count(profiles)} ${profiles === 1 ? 'profile' : 'profiles'}; ${count(changed)} changed.`, {
        link: { href: eventUrl(workspaceId, eventId), text: 'Open the event' },
      });
    });
    setBusy(false);
  };
  return (
    <button type="button" class="primary" disabled={isBusy} onClick={evaluate}>
      <Icon name="play" size={14} />
      {isBusy ? 'Evaluating…' : 'Evaluate now'}
    </button>
  );
}
