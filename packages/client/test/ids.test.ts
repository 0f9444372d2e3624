import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../src/index.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json } from './support/steps.ts';

describe('an id', () => {
  it.each(['', '.', '..', 'wsp_1/../../admin', '/', 'a\\b', undefined, 7])('is refused when it is %j', async (id) => {
    await using server = await startScriptedServer(json({ workspace: {} }));
    const call = apiKeyClient(server).workspaces.retrieve(id as WorkspaceId);
    await expect(call).rejects.toMatchObject({ name: 'UsageError', code: 'USAGE', attempts: 0 });
    expect(server.requests).toEqual([]);
  });

  it('stays one segment of the path whatever it holds', async () => {
    await using server = await startScriptedServer(json({ workspace: {} }));
    await apiKeyClient(server).workspaces.retrieve('wsp_a b?c#d%2F$&');
    expect(server.requests[0]?.url).toBe('/v1/workspaces/wsp_a%20b%3Fc%23d%252F%24%26');
  });
});
