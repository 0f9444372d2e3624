import { type Cluster, startCluster } from '../../../../mock-server/test/postgres/cluster.ts';

/** A PostgreSQL to test with: the one that `SVC_TEST_POSTGRES_URL` names, else one of the tests' own. */
export async function openTestPostgres(): Promise<Cluster> {
  const url = process.env['SVC_TEST_POSTGRES_URL'];
  return url === undefined ? await startCluster() : { url, [Symbol.asyncDispose]: async () => {} };
}
