import { serverUrl } from '../../base.ts';
import { useSnippetKey } from '../../data/snippet-key.ts';
import { snippetPlace } from '../../data/snippet-place.ts';
import { NO_KEY, pingSnippet, svcMockSnippet, triggerSnippet } from '../../format/snippets.ts';
import { SnippetTabs } from '../../ui/snippet.tsx';
import { SnippetKey } from '../snippet-key.tsx';

/** The service's API can trigger only pings, so the snippet for the client sends a ping. */
export function TriggerSnippets({ workspaceId }: { workspaceId: string }) {
  const credential = useSnippetKey(workspaceId) ?? NO_KEY;
  const place = snippetPlace(workspaceId);
  return (
    <SnippetTabs
      title="Trigger an event"
      tabs={[
        ['curl', triggerSnippet(place)],
        // The other snippets call the control API, and need no API key.
        [
          '@svc/client',
          pingSnippet({ baseUrl: serverUrl, credential }),
          <SnippetKey key="key" workspaceId={workspaceId} />,
        ],
        ['svc-mock', svcMockSnippet(place)],
      ]}
    />
  );
}
