import type { Kysely } from 'kysely';

/** Indexes for lists of the control API: credentials of a workspace or a user, and members of an organization. */
const INDEXES = {
  credentials_by_workspace: ['credentials', 'workspace_id', 'id'],
  credentials_by_user: ['credentials', 'user_id', 'id'],
  organization_members_in_order: ['organization_members', 'organization_id', 'user_id'],
} as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, [table, ...columns]] of Object.entries(INDEXES)) {
    await db.schema.createIndex(name).on(table).columns(columns).execute();
  }
  await db.schema.dropIndex('organization_members_by_organization').execute();
}
