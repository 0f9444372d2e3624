import { type Kysely, sql } from 'kysely';

// Since when the service has disabled an endpoint. Any later change of the endpoint moves its `updated_at`.
// For endpoints that are disabled already, that is the best that is known.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhook_endpoints').addColumn('disabled_at', 'bigint').execute();
  await sql`update webhook_endpoints set disabled_at = updated_at
    where active = 0 and consecutive_failures >= 5`.execute(db);
}
