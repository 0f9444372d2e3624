import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';
import * as deliveriesByEvent from './0002-deliveries-by-event.ts';
import * as longSubjects from './0003-long-subjects.ts';
import * as plainLetters from './0004-plain-letters.ts';

/** Never change a released migration. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-deliveries-by-event': deliveriesByEvent,
  '0003-long-subjects': longSubjects,
  '0004-plain-letters': plainLetters,
};

export const latestMigration = Object.keys(migrations).at(-1) ?? '';

/** The latest migration that changed the columns of a table. */
const COLUMNS_CHANGED = '0001-initial';

/** Exports and snapshots with these schemas can be read: their tables have the current columns. */
export const readableMigrations: readonly string[] = Object.keys(migrations).filter((name) => name >= COLUMNS_CHANGED);
