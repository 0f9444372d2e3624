/**
 * What must be built before a benchmark runs. `built`: the builds that the server needs. `declarations`: these builds
 * and the type declarations. `clone`: the benchmark builds in a separate clone.
 */
type Needs = 'built' | 'declarations' | 'clone';

export interface Bench {
  /** What the benchmark measures and, if it makes a comparison, what it compares the results with. */
  what: string;
  needs: Needs;
  argv: readonly string[];
  /**
   * True if `npm run bench` without a name skips the benchmark: the benchmark takes between several minutes and an
   * hour, or fails on a busy machine.
   */
  isAside?: boolean;
}

/** The benchmarks, in the order in which `npm run bench` runs them. */
export const benches: Readonly<Record<string, Bench>> = {
  start: {
    what: 'how long the server takes to start, compared with other mock servers',
    needs: 'built',
    argv: ['mock-server/bench/start.ts'],
  },
  pages: {
    what: 'API lists with many rows, on both databases',
    needs: 'built',
    argv: ['mock-server/bench/pages.ts'],
  },
  delivery: {
    what: 'deliveries, compared with other queues and with a bare loop of requests; --help lists the parts',
    needs: 'built',
    argv: ['mock-server/bench/delivery/main.ts'],
  },
  advance: {
    what: 'moving the virtual clock over many attempts',
    needs: 'built',
    argv: ['mock-server/bench/advance.ts'],
  },
  stalls: {
    what: 'how long a reader waits while the server works',
    needs: 'built',
    argv: ['mock-server/bench/stalls.ts'],
  },
  client: {
    what: 'sizes, start and calls of @svc/client, compared with other SDKs',
    needs: 'declarations',
    argv: ['--expose-gc', 'packages/client/bench/main.ts'],
  },
  webhooks: {
    what: 'sizes, start and verification of @svc/webhooks, compared with other libraries',
    needs: 'built',
    // `tools/run.ts` installs the libraries for the comparison.
    argv: ['tools/run.ts', 'node', 'packages/webhooks/bench/main.ts'],
  },
  'first-start': {
    what: "a newcomer's first minute in a new clone, compared with a bare HTTP server",
    needs: 'clone',
    argv: ['scripts/benches/first-start.ts'],
    isAside: true,
  },
  install: {
    what: 'installing the packed packages, compared with other mock servers',
    needs: 'declarations',
    argv: ['scripts/benches/install.ts'],
    isAside: true,
  },
  lifecycle: {
    what: 'a million profiles on both databases, compared with plain statements',
    needs: 'built',
    argv: ['mock-server/bench/lifecycle/main.ts'],
    isAside: true,
  },
  dashboard: {
    what: 'every budget of the dashboard, in Chromium',
    needs: 'built',
    argv: ['packages/dashboard/bench/main.ts'],
    isAside: true,
  },
};
