import type { Migration } from 'kysely/migration';
import * as schema from './0001-schema.ts';

/** Never change a released migration. */
export const migrations: Record<string, Migration> = { '0001-schema': schema };

export const latestMigration = Object.keys(migrations).at(-1) ?? '';

/** The latest migration that changed the columns of a table. */
const COLUMNS_CHANGED = '0001-schema';

/** Exports and snapshots with these schemas can be read: their tables have the current columns. */
export const readableMigrations: readonly string[] = Object.keys(migrations).filter((name) => name >= COLUMNS_CHANGED);
