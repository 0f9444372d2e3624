import { signal } from '@preact/signals';
import type { CreatedCredential } from '@svc/contract/control/types';
import { control } from './control.ts';
import { useInfo } from './info.ts';
import { resets } from './live.ts';
import { useQuery } from './query.ts';

/** The API key that this page issued for each workspace. These keys are lost when the page is reloaded. */
const issued = signal<ReadonlyMap<string, CreatedCredential>>(new Map());

resets.subscribe(() => {
  issued.value = new Map();
});

/**
 * Returns an API key for snippets: a key that this page issued, or otherwise a key from the seed. Returns `undefined`
 * if there is no such key.
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

export async function issueSnippetKey(workspaceId: string): Promise<void> {
  const body = { kind: 'api_key', workspaceId, test: true, name: 'Snippets of the dashboard' } as const;
  const key = await control('POST', '/credentials', { body });
  issued.value = new Map(issued.value).set(workspaceId, key);
}
