import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A section of the site: something that a reader wants to do, and the pages that help, in the order to read them. */
export interface Section {
  title: string;
  /** Paths below `docs/`, without `.md`. A page's title is its first heading. */
  pages: readonly string[];
}

/** What a reader wants to do. */
export const GUIDES: readonly Section[] = [
  { title: 'Start', pages: ['start', 'guides/try-it', 'guides/try-the-sdk'] },
  {
    title: 'Receive webhooks',
    pages: [
      'receive-webhooks',
      'guides/receive-your-first-webhook',
      'guides/webhooks-in-your-framework',
      'guides/webhooks-in-fastify-koa-hono',
      'guides/nestjs-webhooks',
      'guides/webhooks-without-a-server',
      'guides/events-by-type',
      'guides/what-a-receiver-must-do',
      'guides/deduplicate-deliveries',
      'guides/dedupe-in-sqlite',
      'guides/dedupe-in-postgresql',
      'guides/dedupe-in-redis',
      'guides/rotate-a-webhook-secret',
      'guides/test-a-webhook-receiver',
      'guides/test-against-the-server',
      'guides/handle-webhook-errors',
      'guides/webhook-errors',
      'guides/webhook-body-errors',
      'guides/webhook-setup-errors',
    ],
  },
  {
    title: 'Call the API',
    pages: [
      'call-the-api',
      'guides/getting-started',
      'guides/act-on-events',
      'guides/authentication',
      'guides/pass-a-credential',
      'guides/pagination',
      'guides/page-by-page',
      'guides/expanding',
      'guides/ids',
      'guides/send-any-request',
      'guides/errors-and-retries',
      'guides/error-codes',
      'guides/time-limits',
      'guides/rate-limits',
      'guides/middleware',
      'guides/logging',
      'guides/validation',
      'guides/proxies',
      'guides/nestjs',
      'guides/migrating-from-fetch',
    ],
  },
  {
    title: 'Develop locally',
    pages: [
      'guides/develop-locally',
      'guides/check-a-signature',
      'guides/write-scripts',
      'guides/dashboard',
      'guides/dashboard-screens',
      'guides/read-the-api-reference',
      'guides/seeds',
      'guides/control-api',
      'guides/control-api-details',
      'guides/injecting-faults',
      'guides/fault-effects',
      'guides/follow-a-delivery',
      'guides/reproduce-a-bug',
      'guides/repeat-a-run',
      'guides/run-an-evaluation',
      'guides/what-an-evaluation-does',
      'guides/import-profiles',
    ],
  },
  {
    title: 'Test your code',
    pages: [
      'guides/test-your-code',
      'guides/test-service',
      'guides/test-with-node',
      'guides/test-with-jest',
      'guides/test-with-msw',
      'guides/test-route-handlers',
      'guides/test-components',
      'guides/test-in-a-browser',
      'guides/test-in-ci',
      'guides/testing',
      'guides/mock-transport',
    ],
  },
  {
    title: 'Run it for a team',
    pages: [
      'run-it-for-a-team',
      'guides/run-a-fleet',
      'guides/run-in-docker',
      'guides/run-in-production',
      'guides/plan-for-failures',
      'guides/configuration',
      'guides/observing-the-server',
      'guides/metrics',
      'guides/traces',
      'guides/stopping',
    ],
  },
  {
    title: 'How it works',
    pages: [
      'architecture',
      'glossary',
      'life-of-a-request',
      'life-of-a-delivery',
      'life-of-an-evaluation',
      'databases',
      'clocks',
      'inside-the-dashboard',
      'figures',
      'scaling',
      'a-billion-a-day',
      'conformance',
    ],
  },
  {
    title: 'Where the document is silent',
    pages: [
      'silences',
      'silences/errors',
      'silences/checks-and-rate-limit',
      'silences/access',
      'silences/shapes',
      'silences/input',
      'silences/deliveries',
      'silences/retries',
      'silences/secrets-and-time',
      'silences/profiles',
    ],
  },
];

/** What a reader looks up. `npm run docs` writes these pages, and those of the packages under `api/`. */
export const REFERENCE: readonly Section[] = [
  {
    title: 'Over HTTP',
    pages: [
      'reference/index',
      'reference/workspaces',
      'reference/organizations-and-identity',
      'reference/webhook-endpoints',
      'reference/webhook-secrets-and-tests',
      'reference/webhook-deliveries',
      'reference/events',
      'reference/event-types',
      'reference/errors',
      'reference/openapi',
    ],
  },
  {
    title: 'Control API',
    pages: [
      'reference/control-api',
      'reference/control-time',
      'reference/control-events',
      'reference/control-deliveries',
      'reference/control-endpoints',
      'reference/control-organizations-and-workspaces',
      'reference/control-users-and-members',
      'reference/control-credentials-and-sessions',
      'reference/control-profiles',
      'reference/control-data-sources',
      'reference/control-evaluations',
      'reference/control-faults',
      'reference/control-snapshots',
      'reference/control-requests-and-notifications',
      'reference/control-server',
    ],
  },
  { title: 'The server', pages: ['reference/server', 'reference/configuration'] },
  {
    title: 'The commands',
    pages: [
      'reference/command',
      'reference/command-events',
      'reference/command-deliveries',
      'reference/command-endpoints',
      'reference/command-tenants',
      'reference/command-lifecycle',
      'reference/command-faults',
      'reference/command-snapshots',
      'reference/command-server',
      'reference/command-svc-webhooks',
    ],
  },
  { title: 'The packages', pages: ['reference/client', 'reference/webhooks'] },
];

/** Lists for people who change the project. They are in the repository, and not on the site. */
export const REPOSITORY_ONLY: readonly string[] = ['conformance-table', 'states-and-timings'];

export const docs: string = join(import.meta.dirname, '..');

/** The first heading of a page. */
export function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${page}.md has no heading: its first line must be "# …".`);
  return title.replaceAll('`', '');
}
