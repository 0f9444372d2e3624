import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../domain/instant.ts';

/**
 * Returns the SQL for a row's new `updated_at`. If the value of one of `columns` changes, `updated_at` becomes `now`.
 * Otherwise, `updated_at` keeps its value.
 *
 * @param columns - The columns that the statement sets, with their new values.
 */
export function updatedAt(columns: Readonly<Record<string, unknown>>, now: Instant): RawBuilder<number> {
  const changes = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} is distinct from ${value}`);
  if (changes.length === 0) return sql<number>`updated_at`;
  return sql<number>`case when ${sql.join(changes, sql` or `)} then ${now} else updated_at end`;
}
