import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../domain/instant.ts';

/**
 * Returns the SQL for `updated_at`: `now` if one of the `columns` gets a different value, otherwise the old value. Like
 * Kysely's `set`, ignores undefined values.
 */
export function updatedAt(columns: Readonly<Record<string, unknown>>, now: Instant): RawBuilder<number> {
  const changes = Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.ref(column)} is distinct from ${value}`);
  if (changes.length === 0) return sql<number>`updated_at`;
  return sql<number>`case when ${sql.join(changes, sql` or `)} then ${now} else updated_at end`;
}
