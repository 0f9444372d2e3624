import type { TransferRow } from './read-rows.ts';
import type { TransferTable } from './tables.ts';

/**
 * Leaves out what holds in one database only: leases, and the number by which SQLite's search knows a profile. A
 * `tsvector` of PostgreSQL is quoted words, none of which contains a quotation mark.
 */
export function portable(table: TransferTable['name'], row: TransferRow): TransferRow {
  switch (table) {
    case 'profiles': {
      const { seq: _seq, words, ...rest } = row;
      return { ...rest, words: String(words).replaceAll("'", '') };
    }
    case 'lifecycles':
    case 'notification_emails':
      return { ...row, lease_token: 0, lease_until: null };
    default:
      return row;
  }
}
