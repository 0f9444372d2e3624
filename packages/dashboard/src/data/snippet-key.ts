import { signal } from '@preact/signals';
import type { CredentialItem } from '@svc/mock-server/control';
import { type ControlPage, control } from './control.ts';
import { useInfo } from './info.ts';
import { resets } from './live.ts';
import { useQuery } from './query.ts';

/** An API key that this page issued for its snippets. */
interface IssuedKey {
  id: string;
  credential: string;
}

/** By workspace, only in memory: a reload forgets them. */
const issued = signal<ReadonlyMap<string, IssuedKey>>(new Map());

resets.subscribe(() => {
  issued.value = new Map();
});

/**
 * A valid key of a workspace for snippets: from the seed, or issued here. `undefined` if there is none or if it was
 * revoked.
 */
export function useSnippetKey(workspaceId: string): string | undefined {
  const { data: info } = useInfo();
  const own = issued.value.get(workspaceId);
  const { data: inForce } = useQuery(
    own && `snippet key ${own.id}`,
    async () => {
      const query = { workspaceId, limit: 100 };
      const { data } = await control<ControlPage<CredentialItem>>('GET', '/credentials', { query });
      return data.some(({ id }) => id === own?.id);
    },
    ({ tenants }) => tenants === true,
  );
  if (own && inForce !== false) return own.credential;
  return info?.credentials.find((one) => one.kind === 'api_key' && one.workspaceId === workspaceId)?.credential;
}

/** Issues a key for a workspace's snippets. */
export async function issueSnippetKey(workspaceId: string): Promise<void> {
  const body = { kind: 'api_key', workspaceId, test: true, name: 'Snippets of the dashboard' };
  const key = await control<IssuedKey>('POST', '/credentials', { body });
  issued.value = new Map(issued.value).set(workspaceId, { id: key.id, credential: key.credential });
}
