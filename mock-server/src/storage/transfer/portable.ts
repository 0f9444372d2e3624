import { indexedWords } from '../../domain/search.ts';
import type { TransferRow, TransferTable } from './tables.ts';

/**
 * Removes values that are valid in only one database: leases, the row number in SQLite's search index, and the search
 * words of a profile, which PostgreSQL stores in another order. {@link restored} creates the search words again.
 */
export function portable(table: TransferTable['name'], row: TransferRow): TransferRow {
  switch (table) {
    case 'profiles': {
      const { seq: _seq, words: _words, ...rest } = row;
      return rest;
    }
    case 'lifecycles':
    case 'notification_emails':
      return { ...row, lease_token: 0, lease_until: null };
    default:
      return row;
  }
}

/** Whether {@link portable} removes a column. */
export const isLeftOut = (table: TransferTable['name'], column: string): boolean =>
  table === 'profiles' && (column === 'seq' || column === 'words');

/** Adds the search words of a profile, which an export omits because the rest of the row determines them. */
export function restored(table: TransferTable['name'], row: TransferRow): TransferRow {
  if (table !== 'profiles') return row;
  const text = (column: string) => (row[column] == null ? null : String(row[column]));
  const words = indexedWords(String(row['workspace_id']), [text('name'), text('email'), text('external_id')]);
  return { ...row, words };
}
