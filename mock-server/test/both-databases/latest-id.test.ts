import { type CredentialKind, ID_PREFIXES } from '@svc/contract';
import { expect, test } from 'vitest';
import { insertAll } from '../../src/storage/many-rows.ts';
import { findLatestId } from '../../src/storage/statements/ids.ts';
import { addMember, createWorld } from '../support/delivery/world.ts';

const { apiKey, personalAccessToken } = ID_PREFIXES;

test.each([
  ['API key', personalAccessToken, apiKey],
  ['personal access token', apiKey, personalAccessToken],
])('the latest id may be the id of an %s, in the table with two kinds of ids', async (_kind, first, second) => {
  const world = await createWorld();
  const { storage, ids, workspaceId } = world;
  await using _storage = storage;
  const userId = await addMember(world, 'Admin');
  const add = async (prefix: string) => {
    const ulid = ids.nextBare();
    const isKey = prefix === apiKey;
    const owner = isKey ? { workspace_id: workspaceId, user_id: null } : { workspace_id: null, user_id: userId };
    const kind: CredentialKind = isKey ? 'api_key' : 'personal_access_token';
    const row = { id: `${prefix}${ulid}`, kind, hash: ulid, name: null, test: 1, created_at: 0, ...owner };
    await storage.write((queries) => insertAll(queries, 'credentials', [row]));
    return ulid;
  };
  await add(first);
  const latest = await add(second);
  expect(await storage.read((queries) => findLatestId(queries))).toBe(latest);
});
