import { ID_PREFIXES } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { type IdPrefix, isId, UsageError, type WorkspaceId } from '../src/index.ts';
import { apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json } from './support/steps.ts';

describe('an id', () => {
  it.each([
    '',
    '.',
    '..',
    'wsp_1/../../admin',
    '/',
    'a\\b',
    undefined,
    7,
    7n,
    'wsp_\ud800',
    'wsp_é',
    'wsp_\n',
    'wsp_\u007f',
    Symbol('x'),
    Object.create(null),
  ])('is refused if it is %o', async (id) => {
    await using server = await startScriptedServer(json({ workspace: {} }));
    const call = apiKeyClient(server).workspaces.retrieve(id as WorkspaceId);
    await expect(call).rejects.toMatchObject({ name: 'UsageError', code: 'USAGE', attempts: 0 });
    expect(server.requests).toEqual([]);
    expect(() => userClient(server).workspace(id as WorkspaceId)).toThrow(UsageError);
  });

  it('stays one segment of the path, even with special characters', async () => {
    await using server = await startScriptedServer(json({ workspace: {} }));
    await apiKeyClient(server).workspaces.retrieve('wsp_a b?c#d%2F$&');
    expect(server.requests[0]?.url).toBe('/v1/workspaces/wsp_a%20b%3Fc%23d%252F%24%26');
  });
});

describe('isId', () => {
  it('recognises the kind of an id', () => {
    const prefixes = Object.values(ID_PREFIXES).map((prefix) => prefix.slice(0, -1)) as IdPrefix[];
    for (const prefix of prefixes) {
      expect(prefixes.filter((kind) => isId(kind, `${prefix}_01JNG8M5T0`))).toEqual([prefix]);
    }
  });

  it.each(['wsp_', 'wsp', 'whe_1', 'xwsp_1', 'wsp_1/../whe_1', 'wsp_\n', '', undefined, null, 7, { id: 'wsp_1' }])(
    'is false for %j',
    (value) => {
      expect(isId('wsp', value)).toBe(false);
    },
  );
});
