import { sql } from 'kysely';
import type { StoredSecret } from '../../domain/derive-secret.ts';
import type { Instant } from '../../domain/instant.ts';
import { givenIds, lockingAgainstChanges, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';
import { findSigningSecrets } from './secrets.ts';

export async function findEndpointAnywhere(queries: Queries, id: string) {
  return await queries.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findEndpoint(queries: Queries, workspaceId: string, id: string) {
  const endpoint = await findEndpointAnywhere(queries, id);
  return endpoint?.workspace_id === workspaceId ? endpoint : undefined;
}

/** Lists all endpoints of a workspace, newest first. Needs no paging, because a workspace has at most 100 endpoints. */
export async function listEndpoints(queries: Queries, workspaceId: string) {
  return await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .execute();
}

/** Also deletes the secrets, by a foreign key. Pending deliveries are kept, and become `disabled` when they are due. */
export async function deleteEndpoint(queries: Queries, workspaceId: string, id: string): Promise<boolean> {
  const result = await queries
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Locks an endpoint until the transaction ends. Returns undefined if the endpoint does not exist. */
export async function lockEndpoint(queries: Queries, id: string) {
  const { rows } = await sql<{ active: number; consecutiveFailures: number }>`
    select active, consecutive_failures as "consecutiveFailures" from webhook_endpoints
    where id = ${id} ${lockingRows(queries)}`.execute(queries);
  return rows[0] && { ...rows[0], active: rows[0].active === 1 };
}

/** Returns the given endpoints that are active. Until the transaction ends, none of the given endpoints can change. */
export async function findActive(queries: Queries, endpointIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string; active: number }>`
    select id, active from webhook_endpoints where id in (${sql.join(endpointIds)})
    order by id ${lockingAgainstChanges(queries)}`.execute(queries);
  return new Set(rows.flatMap(({ id, active }) => (active === 1 ? [id] : [])));
}

export interface StoredTarget {
  url: string;
  active: boolean;
  secrets: StoredSecret[];
}

/** Reads endpoints with the secrets that are valid at `now`. The result has no entry for a deleted endpoint. */
export async function loadTargets(
  queries: Queries,
  endpointIds: readonly string[],
  now: Instant,
): Promise<Map<string, StoredTarget>> {
  if (endpointIds.length === 0) return new Map();
  const endpoints = sql<{ id: string; url: string; active: number }>`
    select id, url, active from webhook_endpoints
    where id in ${givenIds(queries, endpointIds)}`.execute(queries);
  const secrets = findSigningSecrets(queries, endpointIds, now);
  const [found, signing] = await together([endpoints, secrets]);
  const targets = new Map(
    found.rows.map(({ id, url, active }): [string, StoredTarget] => [id, { url, active: active === 1, secrets: [] }]),
  );
  for (const { endpointId, ...secret } of signing) targets.get(endpointId)?.secrets.push(secret);
  return targets;
}
