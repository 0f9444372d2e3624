import type { UpdateWebhookEndpointBody } from '@svc/contract';
import { sql } from 'kysely';
import { countFailures, type EndedStatus } from '../../domain/consecutive-failures.ts';
import type { StoredSecret } from '../../domain/derive-secret.ts';
import type { Instant } from '../../domain/instant.ts';
import { givenIds, givenRows, lockingAgainstChanges, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { EndpointTable } from '../schema/webhooks.ts';
import { together } from '../together.ts';
import { updatedAt } from '../updated-at.ts';
import { findSigningSecrets } from './secrets.ts';

export async function findEndpointAnywhere(queries: Queries, id: string) {
  return await queries.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findEndpoint(queries: Queries, workspaceId: string, id: string) {
  const endpoint = await findEndpointAnywhere(queries, id);
  return endpoint?.workspace_id === workspaceId ? endpoint : undefined;
}

/** Lists all endpoints of a workspace, newest first. Needs no pages, because a workspace has at most 100 endpoints. */
export async function listEndpoints(queries: Queries, workspaceId: string) {
  return await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .execute();
}

/** Returns false if the workspace already has `max` endpoints. Locks the workspace against simultaneous inserts. */
export async function insertEndpoint(queries: Queries, endpoint: EndpointTable, max: number): Promise<boolean> {
  await sql`select id from workspaces where id = ${endpoint.workspace_id} ${lockingRows(queries)}`.execute(queries);
  const present = await queries
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('workspace_id', '=', endpoint.workspace_id)
    .limit(max)
    .execute();
  if (present.length >= max) return false;
  await queries.insertInto('webhook_endpoints').values(endpoint).execute();
  return true;
}

/** Activating an inactive endpoint resets its count of consecutive failures. */
export async function updateEndpoint(
  queries: Queries,
  { workspaceId, id }: { workspaceId: string; id: string },
  change: UpdateWebhookEndpointBody,
  now: Instant,
) {
  const columns = {
    ...(change.url !== undefined && { url: change.url }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.subscribedEvents !== undefined && { subscribed_events: JSON.stringify(change.subscribedEvents) }),
    ...(change.apiVersion !== undefined && { api_version: change.apiVersion }),
    ...(change.active !== undefined && { active: change.active ? 1 : 0 }),
  };
  return await queries
    .updateTable('webhook_endpoints')
    .set({
      ...columns,
      ...(change.active === true && {
        consecutive_failures: sql<number>`case when active = 0 then 0 else consecutive_failures end`,
        disabled_at: null,
      }),
      updated_at: updatedAt(columns, now),
    })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .returningAll()
    .executeTakeFirst();
}

/** A foreign key also deletes the secrets. Pending deliveries are kept, and become `disabled` when they are due. */
export async function deleteEndpoint(queries: Queries, workspaceId: string, id: string): Promise<boolean> {
  const result = await queries
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Locks an endpoint until the transaction ends. Returns false if the endpoint does not exist. */
export async function lockEndpoint(queries: Queries, id: string): Promise<boolean> {
  const locked = sql`select id from webhook_endpoints where id = ${id} ${lockingRows(queries)}`;
  return (await locked.execute(queries)).rows.length > 0;
}

/** Returns the active endpoints. Until the transaction ends, no given endpoint can change. */
export async function findActive(queries: Queries, endpointIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string; active: number }>`
    select id, active from webhook_endpoints where id in (${sql.join(endpointIds)})
    order by id ${lockingAgainstChanges(queries)}`.execute(queries);
  return new Set(rows.flatMap(({ id, active }) => (active === 1 ? [id] : [])));
}

export interface AutoDisabledEndpoint {
  id: string;
  workspaceId: string;
}

/** Counts deliveries in the order in which they ended. Disables and returns the endpoints that reach the limit. */
export async function countConsecutiveFailures(
  queries: Queries,
  endedByEndpoint: ReadonlyMap<string, readonly EndedStatus[]>,
  now: Instant,
): Promise<AutoDisabledEndpoint[]> {
  if (endedByEndpoint.size === 0) return [];
  const given = givenRows(
    queries,
    [...endedByEndpoint].map(([id, ended]) => ({ id, fails: ended.some((status) => status !== 'success') ? 1 : 0 })),
  );
  // In the common case, the count is zero and all deliveries succeeded: lock and write no row.
  const { rows } = await sql<{ id: string; workspaceId: string; active: number; consecutiveFailures: number }>`
    select endpoint.id, workspace_id as "workspaceId", active, consecutive_failures as "consecutiveFailures"
    from ${given} join webhook_endpoints as endpoint on endpoint.id = given.value ->> 'id'
    where consecutive_failures > 0 or cast(given.value ->> 'fails' as integer) = 1
    order by endpoint.id ${lockingRows(queries)}`.execute(queries);

  const disabled: AutoDisabledEndpoint[] = [];
  for (const { id, workspaceId, active, consecutiveFailures } of rows) {
    const count = countFailures({ consecutiveFailures, active: active === 1 }, endedByEndpoint.get(id) ?? []);
    if (count.consecutiveFailures === consecutiveFailures && !count.disables) continue;
    await queries
      .updateTable('webhook_endpoints')
      .set({
        consecutive_failures: count.consecutiveFailures,
        ...(count.disables && { active: 0, disabled_at: now, updated_at: now }),
      })
      .where('id', '=', id)
      .execute();
    if (count.disables) disabled.push({ id, workspaceId });
  }
  return disabled;
}

export interface StoredTarget {
  url: string;
  active: boolean;
  /** Whether the endpoint's failure count is above zero. If so, a successful delivery must reset the count. */
  isFailing: boolean;
  secrets: StoredSecret[];
}

/** Reads endpoints with the secrets that are valid at `now`. The result has no entry for a deleted endpoint. */
export async function loadTargets(
  queries: Queries,
  endpointIds: readonly string[],
  now: Instant,
): Promise<Map<string, StoredTarget>> {
  if (endpointIds.length === 0) return new Map();
  const endpoints = sql<{ id: string; url: string; active: number; failures: number }>`
    select id, url, active, consecutive_failures as failures from webhook_endpoints
    where id in ${givenIds(queries, endpointIds)}`.execute(queries);
  const secrets = findSigningSecrets(queries, endpointIds, now);
  const [found, signing] = await together([endpoints, secrets]);
  const targets = new Map(
    found.rows.map(({ id, url, active, failures }): [string, StoredTarget] => [
      id,
      { url, active: active === 1, isFailing: failures > 0, secrets: [] },
    ]),
  );
  for (const { endpointId, ...secret } of signing) targets.get(endpointId)?.secrets.push(secret);
  return targets;
}
