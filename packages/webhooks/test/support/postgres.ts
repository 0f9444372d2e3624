import { type Cluster, startCluster } from '@svc/testing/postgres';

/** A PostgreSQL for tests: the server at `SVC_TEST_POSTGRES_URL`, or else one that the tests start. */
export async function openTestPostgres(): Promise<Cluster> {
  const url = process.env['SVC_TEST_POSTGRES_URL'];
  return url === undefined ? await startCluster() : { url, [Symbol.asyncDispose]: async () => {} };
}
