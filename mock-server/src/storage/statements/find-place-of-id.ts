import type { Queries } from '../port.ts';

/** The organization and workspace of a row. Null if the row belongs to none. */
export interface PlaceOfId {
  organizationId: string | null;
  workspaceId: string | null;
  /** The endpoint of a secret or a notification, or the user of a token or a notification. */
  parentId: string | null;
}

/** For each kind of id, finds its row by the primary key and returns where it belongs. */
export const findPlaceOfId = {
  organization: async (queries: Queries, id: string) =>
    placeOf(
      await queries.selectFrom('organizations').select('id as organizationId').where('id', '=', id).executeTakeFirst(),
    ),
  workspace: async (queries: Queries, id: string) =>
    placeOf(
      await queries
        .selectFrom('workspaces')
        .select(['id as workspaceId', 'organization_id as organizationId'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ),
  user: async (queries: Queries, id: string) =>
    placeOf(await queries.selectFrom('users').select('id as parentId').where('id', '=', id).executeTakeFirst()),
  webhook_endpoint: async (queries: Queries, id: string) =>
    placeOf(await inWorkspace(queries, 'webhook_endpoints', id)),
  webhook_secret: async (queries: Queries, id: string) =>
    placeOf(
      await queries
        .selectFrom('webhook_secrets as secret')
        .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'secret.endpoint_id')
        .select(['endpoint.workspace_id as workspaceId', 'endpoint.id as parentId'])
        .where('secret.id', '=', id)
        .executeTakeFirst(),
    ),
  webhook_delivery: async (queries: Queries, id: string) => placeOf(await inWorkspace(queries, 'deliveries', id)),
  event: async (queries: Queries, id: string) =>
    placeOf((await inWorkspace(queries, 'events', id)) ?? (await inWorkspace(queries, 'replayed_events', id))),
  profile: async (queries: Queries, id: string) => placeOf(await inWorkspace(queries, 'profiles', id)),
  evaluation: async (queries: Queries, id: string) => placeOf(await inWorkspace(queries, 'evaluations', id)),
  api_key: async (queries: Queries, id: string) => placeOf(await credential(queries, id)),
  personal_access_token: async (queries: Queries, id: string) => placeOf(await credential(queries, id)),
  notification: async (queries: Queries, id: string) =>
    placeOf(
      await queries
        .selectFrom('notifications')
        .select(['workspace_id as workspaceId', 'endpoint_id as parentId'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ),
} as const;

const inWorkspace = (
  queries: Queries,
  table: 'webhook_endpoints' | 'deliveries' | 'events' | 'replayed_events' | 'profiles' | 'evaluations',
  id: string,
) => queries.selectFrom(table).select('workspace_id as workspaceId').where('id', '=', id).executeTakeFirst();

const credential = (queries: Queries, id: string) =>
  queries
    .selectFrom('credentials')
    .select(['workspace_id as workspaceId', 'user_id as parentId'])
    .where('id', '=', id)
    .executeTakeFirst();

function placeOf(found: Partial<PlaceOfId> | undefined): PlaceOfId | undefined {
  return found && { organizationId: null, workspaceId: null, parentId: null, ...found };
}
