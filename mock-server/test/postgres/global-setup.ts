import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { startCluster } from './cluster.ts';
import { createDatabase, dropDatabases, type TestPostgres } from './databases.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL of this run, and the URL of the migrated database that the tests' own are copied from. */
    postgres: TestPostgres & { template: string };
  }
}

/** One PostgreSQL for a whole run: the one that `SVC_TEST_POSTGRES_URL` names, else one of the tests' own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const cluster = named ? undefined : await startCluster();
  const postgres = { url: named ?? (cluster?.url as string), prefix: `svc_test_${randomBytes(4).toString('hex')}` };
  const template = await createDatabase(postgres);
  // Opening it runs the migrations; closed, it can be copied.
  await (await openPostgres(template))[Symbol.asyncDispose]();
  project.provide('postgres', { ...postgres, template });
  // The tests of other packages use the same one.
  process.env['SVC_TEST_POSTGRES_URL'] = postgres.url;
  return async () => {
    if (!cluster) return await dropDatabases(postgres);
    delete process.env['SVC_TEST_POSTGRES_URL'];
    await cluster[Symbol.asyncDispose]();
  };
}
