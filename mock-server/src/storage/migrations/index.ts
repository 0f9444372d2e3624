import type { Migration } from 'kysely/migration';
import * as schema from './0001-schema.ts';

/** Never change a released migration. */
export const migrations: Record<string, Migration> = { '0001-schema': schema };

export const latestMigration = Object.keys(migrations).at(-1) ?? '';
