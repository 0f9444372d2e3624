import { indexedWords } from '../../domain/search.ts';
import type { TransferRow } from './read-rows.ts';
import type { TransferTable } from './tables.ts';

/**
 * Leaves out what holds in one database only: leases, the number by which SQLite's search knows a profile, and the words
 * of a profile, which PostgreSQL keeps in an order of its own. {@link restored} makes them again.
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

/** Whether {@link portable} leaves a column out. */
export const isLeftOut = (table: TransferTable['name'], column: string): boolean =>
  table === 'profiles' && (column === 'seq' || column === 'words');

/** Adds what follows from the rest of a row and is not in an export: the words by which a search finds a profile. */
export function restored(table: TransferTable['name'], row: TransferRow): TransferRow {
  if (table !== 'profiles') return row;
  const text = (column: string) => (row[column] == null ? null : String(row[column]));
  const words = indexedWords(String(row['workspace_id']), [text('name'), text('email'), text('external_id')]);
  return { ...row, words };
}
