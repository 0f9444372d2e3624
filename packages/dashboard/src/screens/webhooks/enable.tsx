import { clientOf } from '../../data/acting.ts';
import { messageOf } from '../../data/server-error.ts';
import { useActor } from '../../data/tenants.ts';
import { shortenUrl } from '../../format/text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toast.tsx';

/** Enables an endpoint that is paused or disabled. */
export function EnableButton({
  workspaceId,
  endpoint: { id, url },
  class: className,
}: {
  workspaceId: string;
  endpoint: { id: string; url: string };
  class: string;
}) {
  const why = useActor(workspaceId).why('workspace:developer:write');
  const enable = async () => {
    try {
      await clientOf(workspaceId).webhooks.endpoints.update(id, { active: true });
      toast('Enabled. The count of failures is 0 again.');
    } catch (error) {
      toast(messageOf(error), { tone: 'bad' });
    }
  };
  return (
    <ActionButton class={className} why={why} onClick={enable}>
      <Icon name="play" size={14} />
      Enable<span class="hidden-visually"> {shortenUrl(url)}</span>
    </ActionButton>
  );
}
