import type { UpdateWebhookEndpointBody } from '@svc/contract';
import { sql } from 'kysely';
import { countFailures, type EndedStatus } from '../../domain/consecutive-failures.ts';
import type { Instant } from '../../domain/instant.ts';
import type { StoredSecret } from '../../domain/webhook-secret.ts';
import { givenRows, isPostgres, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { EndpointTable } from '../schema/webhooks.ts';
import { together } from '../together.ts';
import { updatedAt } from '../updated-at.ts';

/** An endpoint of this workspace. Endpoints of other workspaces are not found. */
export async function findEndpoint(queries: Queries, workspaceId: string, id: string) {
  return await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** An endpoint of any workspace, for the control API. */
export async function findEndpointAnywhere(queries: Queries, id: string) {
  return await queries.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The workspace's endpoints, newest first. There are at most 100, so they fit on one page. */
export async function listEndpoints(queries: Queries, workspaceId: string) {
  return await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Inserts an endpoint, or returns false if the workspace already has `max` endpoints. Locks the workspace's row, so that
 * two inserts at the same time cannot exceed the limit.
 */
export async function insertEndpoint(queries: Queries, endpoint: EndpointTable, max: number): Promise<boolean> {
  await queries
    .updateTable('workspaces')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', endpoint.workspace_id)
    .execute();
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

/**
 * Changes the given fields. Setting `active` to true on an inactive endpoint resets its count of consecutive failures.
 */
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

/**
 * Deletes an endpoint and, through the tables' cascade, its secrets. Its deliveries stay. Pending deliveries become
 * `disabled` when they are due.
 */
export async function deleteEndpoint(queries: Queries, workspaceId: string, id: string): Promise<boolean> {
  const result = await queries
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/**
 * Locks an endpoint until the transaction ends. Nobody else can lock or change it in the meantime.
 *
 * @returns false if the endpoint does not exist. It may have been deleted since the transaction read it.
 */
export async function lockEndpoint(queries: Queries, id: string): Promise<boolean> {
  const locked = sql`select id from webhook_endpoints where id = ${id} ${lockingRows(queries)}`;
  return (await locked.execute(queries)).rows.length > 0;
}

/**
 * Which of these endpoints are active. None of them can change before the transaction ends. So if somebody activates an
 * endpoint in the meantime, no delivery can have been accepted for it yet.
 */
export async function findActive(queries: Queries, endpointIds: readonly string[]): Promise<Set<string>> {
  const locking = isPostgres(queries) ? sql`for share` : sql``;
  const { rows } = await sql<{ id: string; active: number }>`
    select id, active from webhook_endpoints where id in (${sql.join(endpointIds)}) order by id ${locking}`.execute(
    queries,
  );
  return new Set(rows.flatMap(({ id, active }) => (active === 1 ? [id] : [])));
}

/** An endpoint that was disabled because its deliveries kept failing. */
export interface AutoDisabledEndpoint {
  id: string;
  workspaceId: string;
}

/**
 * Counts ended deliveries in order, for each endpoint, and disables the endpoints whose count reaches the limit.
 *
 * @returns the endpoints that this call disabled.
 */
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
  // An endpoint without failures has a count of zero and keeps it. This common case locks nothing and writes nothing.
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

/** The URL and secrets for a lane's deliveries. */
export interface StoredTarget {
  url: string;
  active: boolean;
  /** Whether it has a failure count, which a successful delivery would reset. */
  isFailing: boolean;
  /** The secrets that are valid now, newest first. */
  secrets: StoredSecret[];
}

/** Reads endpoints with the secrets that sign at `now`. A deleted endpoint has no entry. */
export async function loadTargets(
  queries: Queries,
  endpointIds: readonly string[],
  now: Instant,
): Promise<Map<string, StoredTarget>> {
  if (endpointIds.length === 0) return new Map();
  const given = givenRows(
    queries,
    endpointIds.map((id) => ({ id })),
  );
  const endpoints = sql<{ id: string; url: string; active: number; failures: number }>`
    select id, url, active, consecutive_failures as failures from webhook_endpoints
    where id in (select given.value ->> 'id' from ${given})`.execute(queries);
  // The current secret has no expiry. Among the others, the one that was replaced last is the newest.
  const secrets = sql<StoredSecret & { endpointId: string }>`
    select id, endpoint_id as "endpointId", salt, hash, preview, sealed from webhook_secrets
    where endpoint_id in (select given.value ->> 'id' from ${given}) and (expires_at is null or expires_at > ${now})
    order by case when expires_at is null then 0 else 1 end, expires_at desc, id desc`.execute(queries);
  const [found, signing] = await together([endpoints, secrets]);
  const targets = new Map(
    found.rows.map(({ id, url, active, failures }): [string, StoredTarget] => [
      id,
      { url, active: active === 1, isFailing: failures > 0, secrets: [] },
    ]),
  );
  for (const { endpointId, ...secret } of signing.rows) targets.get(endpointId)?.secrets.push(secret);
  return targets;
}
