import type { Queries } from './port.ts';
import type { Database } from './schema/database.ts';

/** Children before parents, because of foreign keys. */
const TABLES: readonly (keyof Database)[] = [
  'delivery_queue',
  'delivery_lanes',
  // Results of attempts that started before the wipe no longer count, on any node.
  'delivery_nodes',
  'delivery_attempts',
  'delivery_ends',
  'deliveries',
  'replayed_events',
  'events',
  'notification_emails',
  'notifications',
  'evaluations',
  'profile_states',
  'profiles',
  'lifecycles',
  'rate_limit_windows',
  'webhook_secrets',
  'webhook_endpoints',
  'event_types',
  'credentials',
  'workspace_overrides',
  'workspaces',
  'organization_members',
  'organizations',
  'users',
];

/**
 * Deletes the rows of the {@link TABLES}, the clock and the faults. Keeps the snapshots and the other settings, such as
 * the mark of the master key and how far ids are ahead.
 */
export async function wipe(queries: Queries): Promise<void> {
  for (const table of TABLES) await queries.deleteFrom(table).execute();
  await queries.deleteFrom('settings').where('name', 'in', ['clock', 'faults']).execute();
}
