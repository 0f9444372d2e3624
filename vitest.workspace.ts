import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS, TEST_MAX_MS } from './packages/testing/src/index.ts';

/** The tests of a package that `npm test` runs: all tests that an everyday change can break. */
const project = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['test/**/*.test.ts'], exclude: ['test/release/**'] },
});

/** The tests for `npm run test:release`: tests that only a release needs, or that need other tools and runtimes. */
const release = (name: string, root: string) => ({
  extends: true as const,
  test: { name: `${name}-release`, root, include: ['test/release/**/*.test.ts'] },
});

const mockServer = project('mock-server', 'mock-server');

/** Tests that mock modules, or change timers that a module keeps. Each test file runs in a separate worker. */
const mockServerAlone = {
  ...mockServer,
  test: { ...mockServer.test, name: 'mock-server-alone', include: ['test/alone/*.test.ts'], isolate: true },
};

/** Scenarios, most of them with hostile peers, floods or slow clients. `npm run test:quick` leaves these tests out. */
const mockServerScenarios = {
  ...mockServer,
  test: { ...mockServer.test, name: 'mock-server-scenarios', include: ['test/scenarios/*.test.ts'] },
};

const webhooks = project('webhooks', 'packages/webhooks');

/** The tests that run `svc-webhooks` as a process. `npm run test:quick` leaves these tests out. */
const webhooksCommand = {
  ...webhooks,
  test: { ...webhooks.test, name: 'webhooks-command', include: ['test/cli/*.test.ts'] },
};

const dashboard = project('dashboard', 'packages/dashboard');

/** The dashboard in a browser. */
const journeys = {
  ...dashboard,
  test: { ...dashboard.test, name: 'dashboard-journeys', include: ['test/journeys/**/*.test.ts'] },
};

/** The tests for both databases, which run again on PostgreSQL, and the tests that need PostgreSQL. */
const mockServerOnPostgres = {
  ...mockServer,
  test: {
    ...mockServer.test,
    name: 'mock-server-postgres',
    include: ['test/{both-databases,postgres}/**/*.test.ts'],
    globalSetup: join(import.meta.dirname, 'mock-server/test/postgres/global-setup.ts'),
    env: { SVC_TEST_DATABASE: 'postgres' },
  },
};

/**
 * Tests that drive a browser or processes may fail because the machine is busy. If such a test fails, CI runs it again,
 * and lists the tests that pass only the second time. All others run once: random input must not get a second chance.
 */
const retry = process.env['SVC_RETRY_BUSY'] === '1' ? 1 : 0;
const onBusyMachines = (one: ReturnType<typeof project | typeof release>) => ({
  ...one,
  test: { ...one.test, retry },
});

const acceptance = project('acceptance', 'packages/acceptance');

/** Which files may import each other, and how large a function may be. Only `npm run check` runs these tests. */
const structure = {
  ...acceptance,
  test: { ...acceptance.test, name: 'structure', include: ['test/structure/*.test.ts'] },
};

/** The examples that are npm workspaces. */
const inWorkspace = ['{express-receiver,next-route-handler,replay-failed}/test/**/*.test.ts'];

const startChromium = join(import.meta.dirname, 'packages/testing/src/browser/start-chromium.ts');
const unpackServer = join(import.meta.dirname, 'packages/dashboard/test/journeys/support/unpack-server.ts');

/** Adds setup files, each of which prepares the whole run instead of one test file. */
const prepared = (one: ReturnType<typeof project | typeof release>, ...globalSetup: string[]) => ({
  ...one,
  test: { ...onBusyMachines(one).test, globalSetup },
});

const customerProject = join(import.meta.dirname, 'packages/acceptance/src/customer-project.ts');
const buildSite = join(import.meta.dirname, 'docs/test/support/build-site.ts');

/**
 * Runs the projects in the order in which the configuration lists them, which is not Vitest's default. A long file that
 * begins last leaves one processor without work, so projects with long files are listed first.
 */
class InListedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const names = this.ctx.projects.map(({ name }) => name);
    return sorted.toSorted((a, b) => names.indexOf(a.project.name) - names.indexOf(b.project.name));
  }
}

export default defineConfig({
  test: {
    projects: [
      // The documentation site, built once and opened in one browser.
      prepared(release('docs', 'docs'), buildSite, startChromium),
      // All journeys share one browser and one packed server.
      prepared(release('dashboard', 'packages/dashboard'), startChromium, unpackServer),
      release('mock-server', 'mock-server'),
      prepared(release('acceptance', 'packages/acceptance'), customerProject),
      release('conformance', 'packages/conformance'),
      release('webhooks', 'packages/webhooks'),
      release('client', 'packages/client'),
      onBusyMachines({ ...acceptance, test: { ...acceptance.test, exclude: ['test/{release,structure}/**'] } }),
      prepared(journeys, startChromium, unpackServer),
      project('conformance', 'packages/conformance'),
      mockServerScenarios,
      mockServerOnPostgres,
      { ...mockServer, test: { ...mockServer.test, exclude: ['test/{alone,postgres,release,scenarios}/**'] } },
      mockServerAlone,
      webhooksCommand,
      { ...webhooks, test: { ...webhooks.test, exclude: ['test/{cli,release}/**'] } },
      project('client', 'packages/client'),
      project('contract', 'packages/contract'),
      { ...dashboard, test: { ...dashboard.test, exclude: ['test/{journeys,release}/**'] } },
      // The other examples need many packages. The tests for a release run copies of these examples.
      { ...project('examples', 'examples'), test: { ...project('examples', 'examples').test, include: inWorkspace } },
      structure,
    ],
    sequence: { sequencer: InListedOrder },
    // Files share workers, because loading the server's modules for each file takes as long as the tests themselves.
    isolate: false,
    // Many tests wait for a process or a timer. Two extra workers keep the processors busy during these waits.
    maxWorkers: availableParallelism() + 2,
    // Processes that tests start share the cache of compiled code too.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
    setupFiles: join(import.meta.dirname, 'packages/testing/src/setup.ts'),
    testTimeout: TEST_MAX_MS,
    hookTimeout: TEST_MAX_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
