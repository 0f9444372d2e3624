import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';

/** All migrations, in the order of their names. Never change a released migration. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
};
