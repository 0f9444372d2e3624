import { LATEST_API_VERSION } from '@svc/contract';
import { createCredential, credentialKindOf, hashCredential } from '../../domain/credential.ts';
import { createSecret, pinSecret, type RawSecret } from '../../domain/derive-secret.ts';
import type { Clock } from '../../domain/instant.ts';
import type { MasterKey } from '../../domain/master-key.ts';
import type { Random } from '../../domain/random.ts';
import type { Ids } from '../../runtime/ids.ts';
import { insertSecret } from '../changes/endpoints.ts';
import { insertRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { insertCredential as insertCredentialRow } from '../statements/credentials.ts';
import { insertOrganization as insertOrganizationRow } from '../statements/organizations.ts';
import { insertWorkspace as insertWorkspaceRow } from '../statements/workspaces.ts';
import type { IssuedCredential } from './issued-credential.ts';
import { insertProfiles } from './profiles.ts';
import type { Seed, SeedEndpoint, SeedOrganization, SeedWorkspace } from './schema.ts';

export interface SeedTools {
  ids: Ids;
  clock: Clock;
  masterKey: MasterKey;
  random: Random;
}

/** Writes a seed into an empty database. Returns all credentials, including generated credentials. */
export async function applySeed(queries: Queries, seed: Seed, tools: SeedTools): Promise<IssuedCredential[]> {
  const userIds = await insertUsers(queries, seed, tools);
  await insertRows(queries, 'event_types', seed.eventTypes, {
    type: ['text', ({ type }) => type],
    category: ['text', ({ category }) => category],
    description: ['text', ({ description }) => description],
  });
  const issued: IssuedCredential[] = [];
  for (const organization of seed.organizations)
    issued.push(...(await insertOrganization(queries, organization, userIds, tools)));
  for (const user of seed.users) {
    for (const token of user.tokens) {
      const role =
        seed.organizations.find((organization) => user.email in organization.members)?.members[user.email] ?? null;
      const owner = { userId: idOf(userIds, user.email), workspaceId: null };
      issued.push({ ...(await insertCredential(queries, token, owner, tools)), role });
    }
  }
  return issued;
}

async function insertUsers(queries: Queries, seed: Seed, { ids, clock }: SeedTools): Promise<Map<string, string>> {
  const userIds = new Map(seed.users.map(({ id, email }) => [email, id ?? ids.next('user')]));
  await insertRows(queries, 'users', seed.users, {
    id: ['text', ({ email }) => idOf(userIds, email)],
    email: ['text', ({ email }) => email],
    name: ['text', ({ name }) => name],
    created_at: ['bigint', () => clock.now()],
  });
  return userIds;
}

async function insertOrganization(
  queries: Queries,
  organization: SeedOrganization,
  userIds: ReadonlyMap<string, string>,
  tools: SeedTools,
): Promise<IssuedCredential[]> {
  const id = organization.id ?? tools.ids.next('organization');
  const { slug, name, logo } = organization;
  await insertOrganizationRow(queries, { id, slug, name, logo, created_at: tools.clock.now() });
  await insertRows(queries, 'organization_members', Object.entries(organization.members), {
    organization_id: ['text', () => id],
    user_id: ['text', ([email]) => idOf(userIds, email)],
    role: ['text', ([, role]) => role],
  });
  const issued: IssuedCredential[] = [];
  for (const workspace of organization.workspaces)
    issued.push(...(await insertWorkspace(queries, workspace, { organizationId: id, userIds }, tools)));
  return issued;
}

async function insertWorkspace(
  queries: Queries,
  workspace: SeedWorkspace,
  { organizationId, userIds }: { organizationId: string; userIds: ReadonlyMap<string, string> },
  tools: SeedTools,
): Promise<IssuedCredential[]> {
  const id = workspace.id ?? tools.ids.next('workspace');
  const now = tools.clock.now();
  await insertWorkspaceRow(queries, {
    id,
    organization_id: organizationId,
    slug: workspace.slug,
    name: workspace.name,
    image: workspace.image,
    timezone: workspace.timezone,
    week_starts_on: workspace.weekStartsOn,
    created_at: now,
    updated_at: now,
  });
  await insertRows(queries, 'workspace_overrides', Object.entries(workspace.overrides), {
    workspace_id: ['text', () => id],
    user_id: ['text', ([email]) => idOf(userIds, email)],
    role: ['text', ([, role]) => role],
  });
  for (const endpoint of workspace.endpoints) await insertSeedEndpoint(queries, id, endpoint, tools);
  await insertProfiles(queries, id, workspace, tools);
  const issued: IssuedCredential[] = [];
  const owner = { workspaceId: id, userId: null };
  for (const key of workspace.apiKeys)
    issued.push({ ...(await insertCredential(queries, key, owner, tools)), role: null });
  return issued;
}

async function insertSeedEndpoint(
  queries: Queries,
  workspaceId: string,
  endpoint: SeedEndpoint,
  { ids, clock, masterKey, random }: SeedTools,
): Promise<void> {
  const id = endpoint.id ?? ids.next('webhookEndpoint');
  const now = clock.now();
  await queries
    .insertInto('webhook_endpoints')
    .values({
      id,
      workspace_id: workspaceId,
      url: endpoint.url,
      description: endpoint.description ?? null,
      subscribed_events: JSON.stringify(endpoint.subscribedEvents),
      active: endpoint.active ? 1 : 0,
      api_version: LATEST_API_VERSION,
      consecutive_failures: 0,
      disabled_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const secretId = ids.next('webhookSecret');
  const stored =
    endpoint.secret === undefined
      ? createSecret(masterKey, secretId, random).stored
      : pinSecret(masterKey, secretId, endpoint.secret as RawSecret, random);
  await insertSecret(queries, id, stored, { now, previousExpiresAt: now });
}

async function insertCredential(
  queries: Queries,
  { id: pinnedId, credential, name, test }: SeedWorkspace['apiKeys'][number],
  owner: { workspaceId: string | null; userId: string | null },
  { ids, clock, random }: SeedTools,
): Promise<Omit<IssuedCredential, 'role'>> {
  const kind = owner.userId === null ? 'api_key' : 'personal_access_token';
  const id = pinnedId ?? ids.next(kind === 'api_key' ? 'apiKey' : 'personalAccessToken');
  const text = credential ?? createCredential(kind, test, id, random);
  await insertCredentialRow(queries, {
    id,
    kind,
    hash: hashCredential(text),
    name: name ?? null,
    test: credentialKindOf(text)?.test ? 1 : 0,
    workspace_id: owner.workspaceId,
    user_id: owner.userId,
    created_at: clock.now(),
  });
  return { kind, name: name ?? id, credential: text, workspaceId: owner.workspaceId };
}

function idOf(userIds: ReadonlyMap<string, string>, email: string): string {
  const id = userIds.get(email);
  if (id === undefined) throw new TypeError(`No such user in the seed: ${email}`);
  return id;
}
