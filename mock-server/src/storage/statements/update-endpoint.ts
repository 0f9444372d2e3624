import type { UpdateWebhookEndpointBody } from '@svc/contract';
import { sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import type { Queries } from '../port.ts';
import { updatedAt } from '../updated-at.ts';

/**
 * Changes the given fields. Setting `active` to true on an inactive endpoint resets its count of consecutive failures.
 */
export async function updateEndpoint(
  queries: Queries,
  workspaceId: string,
  id: string,
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
