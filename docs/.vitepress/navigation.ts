import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A section of the site: something that a reader wants to do, and the pages that help, in the order to read them. */
export interface Section {
  title: string;
  /** Its name in the bar at the top, if it is there. */
  short?: string;
  /** Paths below `docs/` without `.md`, by the heading above them. A page's title is its first heading. */
  groups: Readonly<Record<string, readonly string[]>>;
}

/** What a reader wants to do. */
export const GUIDES: readonly Section[] = [
  { title: 'Start', short: 'Start', groups: { Start: ['start', 'guides/try-it'] } },
  {
    title: 'Receive webhooks',
    short: 'Webhooks',
    groups: {
      'Receive webhooks': [
        'receive-webhooks',
        'guides/register-an-endpoint',
        'guides/events-by-type',
        'guides/what-a-receiver-must-do',
        'guides/rotate-a-webhook-secret',
      ],
      'In your framework': [
        'guides/webhooks-in-your-framework',
        'guides/webhooks-in-fastify-koa-hono',
        'guides/nestjs-webhooks',
        'guides/webhooks-without-a-server',
        'guides/verify-without-the-package',
      ],
      'Run handlers once': [
        'guides/deduplicate-deliveries',
        'guides/dedupe-in-sqlite',
        'guides/dedupe-in-postgresql',
        'guides/dedupe-in-redis',
      ],
      'Test a receiver': ['guides/test-a-webhook-receiver', 'guides/test-against-the-server'],
      'Webhook errors': [
        'guides/handle-webhook-errors',
        'guides/webhook-errors',
        'guides/webhook-body-errors',
        'guides/webhook-setup-errors',
        'guides/when-an-endpoint-is-disabled',
        'guides/why-a-delivery-failed',
      ],
    },
  },
  {
    title: 'Call the API',
    short: 'API',
    groups: {
      'Call the API': [
        'call-the-api',
        'guides/make-your-first-call',
        'guides/act-on-events',
        'guides/authentication',
        'guides/pass-a-credential',
      ],
      'Lists and resources': [
        'guides/pagination',
        'guides/page-by-page',
        'guides/expanding',
        'guides/ids',
        'guides/send-any-request',
      ],
      'When a call fails': [
        'guides/errors-and-retries',
        'guides/error-codes',
        'guides/time-limits',
        'guides/rate-limits',
      ],
      'Adapt the client': [
        'guides/middleware',
        'guides/logging',
        'guides/validation',
        'guides/proxies',
        'guides/nestjs',
        'guides/migrating-from-fetch',
      ],
    },
  },
  {
    title: 'Develop locally',
    short: 'Develop',
    groups: {
      'Develop locally': [
        'guides/develop-locally',
        'guides/receive-live-deliveries',
        'guides/follow-a-delivery',
        'guides/check-a-signature',
      ],
      'The dashboard': ['guides/dashboard', 'guides/dashboard-profiles-and-faults', 'guides/read-the-api-reference'],
      'Make it fail': ['guides/injecting-faults', 'guides/fault-effects'],
      'Use your own data': ['guides/seeds', 'guides/reproduce-a-bug', 'guides/repeat-a-run'],
      'Profiles and evaluations': [
        'guides/run-an-evaluation',
        'guides/import-profiles',
        'guides/what-an-evaluation-does',
      ],
      'From a program': [
        'guides/write-scripts',
        'guides/call-from-a-web-page',
        'guides/control-api',
        'guides/control-api-details',
      ],
    },
  },
  {
    title: 'Test your code',
    short: 'Test',
    groups: {
      'Test your code': ['guides/test-your-code', 'guides/test-service', 'guides/test-in-ci'],
      'With another runner': ['guides/test-with-node', 'guides/test-with-jest'],
      'Without a socket': ['guides/test-with-msw', 'guides/test-route-handlers', 'guides/test-components'],
      'The client alone': ['guides/mock-the-client', 'guides/mock-failures'],
    },
  },
  {
    title: 'Run it for a team',
    short: 'Run',
    groups: {
      'Run it for a team': [
        'run-it-for-a-team',
        'guides/run-a-fleet',
        'guides/run-in-docker',
        'guides/upgrade-in-docker',
        'guides/run-in-production',
        'guides/plan-for-failures',
        'guides/stopping',
      ],
      'See what it does': ['guides/observing-the-server', 'guides/metrics', 'guides/traces'],
    },
  },
  {
    title: 'How it works',
    groups: {
      'How it works': ['architecture', 'glossary', 'databases', 'clocks', 'inside-the-dashboard'],
      'Through the code': ['life-of-a-request', 'life-of-a-delivery', 'life-of-an-evaluation'],
      'What it achieves': ['figures', 'scaling', 'a-billion-a-day', 'conformance'],
    },
  },
  {
    title: 'Where the document is silent',
    groups: {
      Decisions: [
        'silences',
        'guides/before-you-leave-the-reference-server',
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
  },
];

/** Lists for people who change the project. They are in the repository, and not on the site. */
export const REPOSITORY_ONLY: readonly string[] = ['conformance-table', 'states-and-timings'];

export const pagesOf = ({ groups }: Section): string[] => Object.values(groups).flat();

export const docs: string = join(import.meta.dirname, '..');

/** The first heading of a page. */
export function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${page}.md has no heading: its first line must be "# …".`);
  return title.replaceAll('`', '');
}
