import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MAX_MS } from './packages/testing/src/index.ts';
import { isInstalled } from './tools/installed.ts';

const project = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['test/**/*.test.ts'] },
});

/** Each of these files runs in a separate worker, because it mocks modules or changes timers that a module keeps. */
const alone = ['test/main.test.ts', 'test/delivery/connections.test.ts', 'test/http/{dropped,wait-looks}.test.ts'];

const mockServer = project('mock-server', 'mock-server');

/** The server's tests again on PostgreSQL, plus the tests that need PostgreSQL. */
const mockServerOnPostgres = {
  extends: true as const,
  test: {
    name: 'mock-server-postgres',
    root: 'mock-server',
    include: ['test/{http,delivery,postgres}/**/*.test.ts', 'test/storage/{guarded-writes,migrations,walk}.test.ts'],
    // These tests never use the database. `looks` needs a clock that PostgreSQL does not let a test set.
    exclude: [
      'test/delivery/{answer-budget,connections,connector,gathering,held-lanes,hostile-receivers}.test.ts',
      'test/delivery/{inject-faults,lane-rules,looks,overtaking,network-faults,oversized-answers}.test.ts',
      'test/delivery/{read-in-pieces,reading-time,receiver-address,retention-steps,shortage,start-rate}.test.ts',
      'test/http/{dropped,wait-looks}.test.ts',
    ],
    globalSetup: join(import.meta.dirname, 'mock-server/test/postgres/global-setup.ts'),
    env: { SVC_TEST_DATABASE: 'postgres' },
  },
};

const client = project('client', 'packages/client');
const webhooks = project('webhooks', 'packages/webhooks');
if (!isInstalled()) {
  console.info(
    'Skipped, not installed (npm run tools): the docstrings of @svc/client, @svc/webhooks in Koa and NestJS',
  );
  Object.assign(client.test, { exclude: ['test/documented.test.ts'] });
  Object.assign(webhooks.test, { exclude: ['test/frameworks/{koa,nest}.test.ts'] });
}
const startChromium = join(import.meta.dirname, 'packages/dashboard/test/journeys/support/start-chromium.ts');

/** Its journeys share one browser. */
const dashboard = {
  ...project('dashboard', 'packages/dashboard'),
  test: {
    ...project('dashboard', 'packages/dashboard').test,
    globalSetup: startChromium,
  },
};

const buildSite = join(import.meta.dirname, 'docs/test/support/build-site.ts');

/** The documentation site, built once and opened in one browser. */
const docs = {
  ...project('docs', 'docs'),
  test: {
    ...project('docs', 'docs').test,
    globalSetup: [buildSite, startChromium],
  },
};

export default defineConfig({
  test: {
    projects: [
      project('contract', 'packages/contract'),
      client,
      webhooks,
      { ...mockServer, test: { ...mockServer.test, exclude: ['test/postgres/**', ...alone] } },
      { ...mockServer, test: { ...mockServer.test, name: 'mock-server-alone', include: alone, isolate: true } },
      mockServerOnPostgres,
      dashboard,
      docs,
      project('acceptance', 'packages/acceptance'),
    ],
    // Files share workers, because loading the server's modules for each file takes as long as the tests themselves.
    isolate: false,
    // Many tests wait for a process or a timer. Another worker uses the processor meanwhile.
    maxWorkers: availableParallelism() + 1,
    // Processes that tests start share the cache of compiled code too.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
    setupFiles: join(import.meta.dirname, 'packages/testing/src/setup.ts'),
    testTimeout: TEST_MAX_MS,
    hookTimeout: TEST_MAX_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
