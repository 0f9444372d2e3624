import type { TestApi } from '../api.ts';
import { demo } from '../demo.ts';

/** Creates a workspace for one test, and returns calls about its lifecycle. */
export async function makeWorkspace(api: TestApi, options: { timezone?: string; weekStartsOn?: number } = {}) {
  const made = await api.call('POST', '/_control/workspaces', {
    body: { organizationId: demo.acmeId, name: 'Lifecycle', ...options },
  });
  const id: string = made.body.workspace.id;
  const base = `/_control/workspaces/${id}`;
  const key = await api.call('POST', '/_control/credentials', { body: { kind: 'api_key', workspaceId: id } });
  return {
    id,
    base,
    credential: key.body.credential as string,
    /** Imports profiles as a JSON array. */
    put: (profiles: unknown[]) => api.call('PUT', `${base}/profiles`, { body: profiles }),
    /** Imports a body as NDJSON. */
    putLines: (rawBody: string | Uint8Array<ArrayBuffer>) =>
      api.call('PUT', `${base}/profiles`, { rawBody, headers: { 'content-type': 'application/x-ndjson' } }),
    async profiles(query = '') {
      return (await api.call('GET', `${base}/profiles${query}`)).body.data;
    },
    evaluate: () => api.call('POST', `${base}/evaluate`),
    schedule: async () => (await api.call('GET', `${base}/schedule`)).body,
    evaluations: async () => (await api.call('GET', `${base}/evaluations?limit=100`)).body.data,
  };
}

/** Freezes the clock and sets it. */
export async function freezeAt(api: TestApi, at: string): Promise<void> {
  await api.call('POST', '/_control/clock', { body: { freeze: true } });
  await api.call('POST', '/_control/clock', { body: { set: at } });
}
