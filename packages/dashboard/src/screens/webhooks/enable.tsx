import { clientOf } from '../../data/acting.ts';
import { useActor } from '../../data/tenants.ts';
import { shortenUrl } from '../../format/text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { orToast, toast } from '../../ui/toast.tsx';

export const enableEndpoint = (workspaceId: string, id: string): Promise<void> =>
  orToast(async () => {
    await clientOf(workspaceId).webhooks.endpoints.update(id, { active: true });
    toast('Enabled. The count of failures is 0 again.');
  });

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
  return (
    <ActionButton icon="play" class={className} why={why} onClick={() => enableEndpoint(workspaceId, id)}>
      Enable<span class="hidden-visually"> {shortenUrl(url)}</span>
    </ActionButton>
  );
}
