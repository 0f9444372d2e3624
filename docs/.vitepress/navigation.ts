import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A section of the site: the pages that help a reader with one kind of task, in the order in which a reader should read
 * the pages.
 */
export interface Section {
  title: string;
  /** The section's name in the bar at the top. Absent if the bar does not show the section. */
  short?: string;
  /**
   * The section's pages, keyed by the heading above them in the sidebar. A page is a path below `docs/`, without `.md`.
   * Its title is its first heading.
   */
  groups: Readonly<Record<string, readonly string[]>>;
}

export const docs: string = join(import.meta.dirname, '..');

const guides = (...names: readonly string[]) => names.map((name) => `guides/${name}`);

/** The sections that help a reader with a task. */
export const GUIDES: readonly Section[] = [
  { title: 'Start', short: 'Start', groups: { Start: ['what-it-is', 'start'] } },
  {
    title: 'Concepts',
    short: 'Concepts',
    groups: {
      Concepts: guides(
        'workspaces-users-credentials',
        'profiles-and-evaluations',
        'events-and-deliveries',
        'signatures-and-secrets',
        'virtual-clock',
      ),
    },
  },
  {
    title: 'Webhooks',
    short: 'Webhooks',
    groups: {
      Webhooks: guides(
        'register-an-endpoint',
        'connect-your-framework',
        'handle-events',
        'go-live',
        'run-handlers-once',
        'rotate-a-webhook-secret',
        'test-a-webhook-receiver',
        'fix-a-failed-delivery',
      ),
    },
  },
  {
    title: 'Client',
    short: 'Client',
    groups: {
      Client: guides(
        'make-your-first-call',
        'authentication',
        'lists-and-expand',
        'errors-and-retries',
        'rate-limits',
        'customize-the-client',
        'recipes',
      ),
    },
  },
  {
    title: 'Develop',
    short: 'Develop',
    groups: {
      Develop: guides(
        'develop-locally',
        'dashboard',
        'commands-and-scripts',
        'injecting-faults',
        'seeds',
        'run-an-evaluation',
        'control-api',
      ),
    },
  },
  {
    title: 'Test',
    short: 'Test',
    groups: {
      Test: guides('test-your-code', 'test-with-a-runner', 'test-without-a-socket', 'mock-the-client', 'test-in-ci'),
    },
  },
  {
    title: 'Operate',
    short: 'Operate',
    groups: { Operate: guides('run-in-docker', 'run-in-production', 'plan-for-failures', 'observing-the-server') },
  },
  {
    title: 'Project',
    groups: { Project: ['security-model', 'versioning', 'reference/changelog', 'faq', 'figures'] },
  },
];

/** Pages for people who change the project. These pages are in the repository, but not on the site. */
export const REPOSITORY_ONLY: readonly string[] = [
  'a-billion-a-day',
  'architecture',
  'clocks',
  'conformance',
  'conformance-table',
  'databases',
  'glossary',
  'inside-the-dashboard',
  'life-of-a-delivery',
  'life-of-a-request',
  'life-of-an-evaluation',
  'scaling',
  'silences',
  ...readdirSync(join(docs, 'silences')).map((name) => `silences/${name.replace('.md', '')}`),
  'states-and-timings',
];

export const pagesOf = ({ groups }: Section): string[] => Object.values(groups).flat();

/** The first heading of a page. */
export function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${page}.md has no heading: its first line must be "# …".`);
  return title.replaceAll('`', '');
}
