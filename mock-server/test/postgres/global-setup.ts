import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabases, startCluster, type TestPostgres } from '@svc/testing/postgres';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../support/open-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server of this run, and the URL of the migrated database that tests copy. */
    postgres: TestPostgres & { template: string };
  }
}

/** Provides one PostgreSQL server for the whole run: the one in `SVC_TEST_POSTGRES_URL`, or else a new one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const cluster = named ? undefined : await startCluster();
  const postgres = { url: named ?? (cluster?.url as string), prefix: `svc_test_${randomBytes(4).toString('hex')}` };
  const template = await createDatabase(postgres);
  // Opening the database runs the migrations. It can be copied once it is closed.
  await (await openPostgres(template))[Symbol.asyncDispose]();
  project.provide('postgres', { ...postgres, template });
  // The tests of other packages use the same server.
  process.env['SVC_TEST_POSTGRES_URL'] = postgres.url;
  return async () => {
    if (!cluster) return await dropDatabases(postgres);
    delete process.env['SVC_TEST_POSTGRES_URL'];
    await cluster[Symbol.asyncDispose]();
  };
}
