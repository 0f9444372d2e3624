import { useInfo } from '../data/info.ts';
import { issueSnippetKey, useSnippetKey } from '../data/snippet-key.ts';
import { orToast } from '../ui/toast.tsx';

/** Offers a valid key for snippets that would otherwise have no key. */
export function SnippetKey({ workspaceId }: { workspaceId: string }) {
  const key = useSnippetKey(workspaceId);
  const { data: info } = useInfo();
  // Until the page knows the keys of the seed, it does not offer a key, so that nothing moves.
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
