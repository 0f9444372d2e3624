import { LATEST_API_VERSION } from '@svc/contract';
import { createCredential, credentialKindOf, hashCredential } from '../../domain/credential.ts';
import { createSecret, pinSecret, type RawSecret } from '../../domain/derive-secret.ts';
import type { Clock, Instant } from '../../domain/instant.ts';
import type { MasterKey } from '../../domain/master-key.ts';
import type { Random } from '../../domain/random.ts';
import type { Ids } from '../../runtime/ids.ts';
import { insertSecret } from '../changes/endpoints.ts';
import { insertAll } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { credentialsIn, type IssuedCredential } from './issued-credential.ts';
import { insertProfiles } from './profiles.ts';
import type { Seed, SeedEndpoint } from './schema.ts';

export interface SeedTools {
  ids: Ids;
  clock: Clock;
  masterKey: MasterKey;
  random: Random;
}

/** Writes a seed into an empty database. Returns all credentials, including generated credentials. */
export async function applySeed(queries: Queries, seed: Seed, tools: SeedTools): Promise<IssuedCredential[]> {
  const tenants = withIds(seed, tools.ids);
  await insertAll(queries, 'event_types', seed.eventTypes);
  await insertTenants(queries, tenants, tools.clock.now());
  for (const workspace of tenants.organizations.flatMap(({ workspaces }) => workspaces)) {
    for (const endpoint of workspace.endpoints) await insertSeedEndpoint(queries, workspace.id, endpoint, tools);
    await insertProfiles(queries, workspace.id, workspace, tools);
  }
  return await insertCredentials(queries, tenants, tools);
}

type Tenants = ReturnType<typeof withIds>;

/** Returns the users and organizations of a seed. Adds the ids that the seed does not set. */
function withIds({ users, organizations }: Seed, ids: Ids) {
  const withId = <Item extends { id?: string | undefined }>(item: Item, kind: Parameters<Ids['next']>[0]) => ({
    ...item,
    id: item.id ?? ids.next(kind),
  });
  return {
    users: users.map((user) => ({
      ...withId(user, 'user'),
      tokens: user.tokens.map((token) => withId(token, 'personalAccessToken')),
    })),
    organizations: organizations.map((organization) => ({
      ...withId(organization, 'organization'),
      workspaces: organization.workspaces.map((workspace) => ({
        ...withId(workspace, 'workspace'),
        apiKeys: workspace.apiKeys.map((key) => withId(key, 'apiKey')),
      })),
    })),
  };
}

async function insertTenants(queries: Queries, { users, organizations }: Tenants, now: Instant): Promise<void> {
  const userIds = new Map(users.map(({ id, email }) => [email, id]));
  const inRoles = <Role>(roles: Readonly<Record<string, Role>>) =>
    Object.entries(roles).map(([email, role]) => ({ user_id: String(userIds.get(email)), role }));
  const userRows = users.map(({ id, email, name }) => ({ id, email, name, created_at: now }));
  await insertAll(queries, 'users', userRows);
  for (const { id: organization_id, slug, name, logo, members, workspaces } of organizations) {
    await insertAll(queries, 'organizations', [{ id: organization_id, slug, name, logo, created_at: now }]);
    const memberRows = inRoles(members).map((member) => ({ organization_id, ...member }));
    await insertAll(queries, 'organization_members', memberRows);
    for (const { id, slug, name, image, timezone, weekStartsOn: week_starts_on, overrides } of workspaces) {
      const row = {
        id,
        organization_id,
        slug,
        name,
        image,
        timezone,
        week_starts_on,
        created_at: now,
        updated_at: now,
      };
      await insertAll(queries, 'workspaces', [row]);
      const overrideRows = inRoles(overrides).map((override) => ({ workspace_id: id, ...override }));
      await insertAll(queries, 'workspace_overrides', overrideRows);
    }
  }
}

async function insertSeedEndpoint(
  queries: Queries,
  workspaceId: string,
  endpoint: SeedEndpoint,
  { ids, clock, masterKey, random }: SeedTools,
): Promise<void> {
  const id = endpoint.id ?? ids.next('webhookEndpoint');
  const now = clock.now();
  const row = {
    id,
    workspace_id: workspaceId,
    url: endpoint.url,
    description: endpoint.description ?? null,
    subscribed_events: JSON.stringify(endpoint.subscribedEvents),
    active: endpoint.active ? 1 : 0,
    api_version: LATEST_API_VERSION,
    consecutive_failures: 0,
    created_at: now,
    updated_at: now,
  };
  await insertAll(queries, 'webhook_endpoints', [row]);
  const secretId = ids.next('webhookSecret');
  const stored =
    endpoint.secret === undefined
      ? createSecret(masterKey, secretId, random).stored
      : pinSecret(masterKey, secretId, endpoint.secret as RawSecret, random);
  await insertSecret(queries, id, stored, { now, previousExpiresAt: now });
}

async function insertCredentials(queries: Queries, tenants: Tenants, { clock, random }: SeedTools) {
  const credentials = credentialsIn(tenants).map((one) => ({
    ...one,
    credential: one.credential ?? createCredential(one.kind, one.test, one.id, random),
  }));
  const rows = credentials.map(({ id, kind, name = null, credential, workspaceId, userId }) => ({
    id,
    kind,
    hash: hashCredential(credential),
    name,
    test: credentialKindOf(credential)?.test ? 1 : 0,
    workspace_id: workspaceId,
    user_id: userId,
    created_at: clock.now(),
  }));
  await insertAll(queries, 'credentials', rows);
  return credentials.map(({ kind, id, name = id, credential, workspaceId, role }) => ({
    kind,
    name,
    credential,
    workspaceId,
    role,
  }));
}
