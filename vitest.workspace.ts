import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MAX_MS } from './packages/testing/src/patience.ts';

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
      'test/delivery/{connections,connector,gathering,held-lanes,hostile-receivers,inject-faults}.test.ts',
      'test/delivery/{lane-rules,looks,overtaking,receiver-address,retention-steps,shortage}.test.ts',
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
    setupFiles: join(import.meta.dirname, 'packages/testing/src/setup.ts'),
    testTimeout: TEST_MAX_MS,
    hookTimeout: TEST_MAX_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
