import type { UpdateWebhookEndpointBody } from '@svc/contract';
import { sql } from 'kysely';
import { countFailures, type EndedStatus, failuresAfterActivation } from '../../domain/consecutive-failures.ts';
import type { StoredSecret } from '../../domain/derive-secret.ts';
import type { Instant } from '../../domain/instant.ts';
import { givenRows, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { EndpointTable } from '../schema/webhooks.ts';
import { lockEndpoint } from '../statements/endpoints.ts';
import { updatedAt } from '../updated-at.ts';

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

export async function updateEndpoint(
  queries: Queries,
  { workspaceId, id }: { workspaceId: string; id: string },
  change: UpdateWebhookEndpointBody,
  now: Instant,
) {
  const { url, description, subscribedEvents, apiVersion: api_version, active } = change;
  const columns = {
    url,
    description,
    subscribed_events: subscribedEvents && JSON.stringify(subscribedEvents),
    api_version,
    active: active === undefined ? undefined : Number(active),
  };
  const activated = active === true ? await lockEndpoint(queries, id) : undefined;
  return await queries
    .updateTable('webhook_endpoints')
    .set({
      ...columns,
      ...(activated && { consecutive_failures: failuresAfterActivation(activated), disabled_at: null }),
      updated_at: updatedAt(columns, now),
    })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .returningAll()
    .executeTakeFirst();
}

/** Inserts a secret. The previous secret expires at `previousExpiresAt`. Older secrets keep their expiry times. */
export async function insertSecret(
  queries: Queries,
  endpointId: string,
  secret: StoredSecret,
  { now, previousExpiresAt }: { now: Instant; previousExpiresAt: Instant },
): Promise<void> {
  await queries
    .deleteFrom('webhook_secrets')
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', '<=', now)
    .execute();
  await queries
    .updateTable('webhook_secrets')
    .set({ expires_at: previousExpiresAt })
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', 'is', null)
    .execute();
  await queries
    .insertInto('webhook_secrets')
    .values({ ...secret, endpoint_id: endpointId, created_at: now, expires_at: null })
    .execute();
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
  // In the common case, the count is zero and all deliveries succeeded, so no row is locked or written.
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
