import type { Section } from './navigation.ts';

/**
 * The reference sections of the site. The build writes the pages of these sections, except the guides. The build also
 * writes pages about the exports of the packages, under `api/`.
 */
export const REFERENCE: readonly Section[] = [
  {
    title: 'HTTP API',
    groups: {
      'HTTP API': [
        'reference/index',
        'reference/workspaces',
        'reference/organizations-and-identity',
        'reference/search',
        'reference/webhook-endpoints',
        'reference/webhook-secrets-and-tests',
        'reference/webhook-deliveries',
        'reference/events',
      ],
      'Events, errors, limits': [
        'reference/event-catalog',
        'reference/errors',
        'guides/error-codes',
        'guides/webhook-errors',
        'guides/headers-and-limits',
      ],
      Downloads: ['reference/openapi'],
    },
  },
  {
    title: 'Control API',
    groups: {
      'Control API': [
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
  },
  {
    title: 'Server and commands',
    groups: {
      'The server': ['reference/server', 'guides/configuration'],
      'svc-mock': [
        'reference/command',
        'reference/command-events',
        'reference/command-deliveries',
        'reference/command-endpoints',
        'reference/command-tenants',
        'reference/command-lifecycle',
        'reference/command-faults',
        'reference/command-snapshots',
        'reference/command-server',
      ],
      'svc-webhooks': ['reference/command-svc-webhooks'],
    },
  },
  { title: 'Packages', groups: { 'The packages': ['reference/client', 'reference/webhooks'] } },
];
