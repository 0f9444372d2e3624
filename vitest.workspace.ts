import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const project = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['test/**/*.test.ts'] },
});

const mockServer = project('mock-server', 'mock-server');

/** The server's behaviour once more, on PostgreSQL, and what there is of it on PostgreSQL only. */
const mockServerOnPostgres = {
  extends: true as const,
  test: {
    name: 'mock-server-postgres',
    root: 'mock-server',
    include: ['test/{http,delivery,postgres}/**/*.test.ts', 'test/storage/{guarded-writes,migrations,walk}.test.ts'],
    // What these are about never meets the database, or, in `looks`, goes by a clock that PostgreSQL lets nobody set.
    exclude: [
      'test/delivery/{answer-budget,connections,connector,gathering,held-lanes,hostile-receivers}.test.ts',
      'test/delivery/{inject-faults,lane-rules,looks,overtaking,network-faults,oversized-answers}.test.ts',
      'test/delivery/{read-in-pieces,reading-time,receiver-address,retention-steps,shortage}.test.ts',
      'test/http/{dropped,wait-looks}.test.ts',
    ],
    globalSetup: join(import.meta.dirname, 'mock-server/test/postgres/global-setup.ts'),
    env: { SVC_TEST_DATABASE: 'postgres' },
  },
};

export default defineConfig({
  test: {
    projects: [
      project('contract', 'packages/contract'),
      project('client', 'packages/client'),
      project('webhooks', 'packages/webhooks'),
      { ...mockServer, test: { ...mockServer.test, exclude: ['test/postgres/**'] } },
      mockServerOnPostgres,
      project('acceptance', 'packages/acceptance'),
    ],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
