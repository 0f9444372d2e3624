import { useInfo } from '../data/info.ts';
import { issueSnippetKey, useSnippetKey } from '../data/snippet-key.ts';
import { orToast } from '../ui/toast.tsx';

/** Offers to issue a key if the page knows no valid key. */
export function SnippetKey({ workspaceId }: { workspaceId: string }) {
  const key = useSnippetKey(workspaceId);
  const { data: info } = useInfo();
  // Show no button until the seed's keys have arrived. Otherwise, the button might disappear again and move the rest of
  // the page.
  if (key !== undefined || info === undefined) return null;
  const issue = () => orToast(() => issueSnippetKey(workspaceId));
  return (
    <p class="row">
      <button type="button" class="small" onClick={issue}>
        Insert a new API key
      </button>
      <span class="quiet">This page keeps the key until you reload.</span>
    </p>
  );
}
