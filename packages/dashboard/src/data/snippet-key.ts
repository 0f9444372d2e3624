import { signal } from '@preact/signals';
import type { CreatedCredential } from '@svc/contract/control/types';
import { control } from './control.ts';
import { useInfo } from './info.ts';
import { resets } from './live.ts';
import { useQuery } from './query.ts';

/**
 * The API keys that this page issued for its snippets, by workspace. The keys are only in memory, so a reload forgets
 * them.
 */
const issued = signal<ReadonlyMap<string, CreatedCredential>>(new Map());

resets.subscribe(() => {
  issued.value = new Map();
});

/**
 * A valid API key of a workspace, to show in snippets. The key is from the seed, or was issued by this page.
 * `undefined` if there is no such key, or if the key was revoked.
 */
export function useSnippetKey(workspaceId: string): string | undefined {
  const { data: info } = useInfo();
  const own = issued.value.get(workspaceId);
  const { data: inForce } = useQuery(own && `snippet key ${own.id}`, async () => {
    const query = { workspaceId, limit: 100 };
    const { data } = await control('GET', '/credentials', { query });
    return data.some(({ id }) => id === own?.id);
  }, ['tenants']);
  if (own && inForce !== false) return own.credential;
  return info?.credentials.find((one) => one.kind === 'api_key' && one.workspaceId === workspaceId)?.credential;
}

/** Issues a key for a workspace's snippets. */
export async function issueSnippetKey(workspaceId: string): Promise<void> {
  const body = { kind: 'api_key', workspaceId, test: true, name: 'Snippets of the dashboard' } as const;
  const key = await control('POST', '/credentials', { body });
  issued.value = new Map(issued.value).set(workspaceId, key);
}
