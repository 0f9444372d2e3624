import { LATEST_API_VERSION } from '../../event-catalog.ts';
import {
  ORGANIZATION_AREAS,
  type OrganizationPermission,
  WORKSPACE_AREAS,
  type WorkspacePermission,
} from '../../permissions.ts';
import type { Identity } from '../../resources/identity.ts';
import type { EmbeddedWorkspace, Organization } from '../../resources/organization.ts';
import type { SearchResult } from '../../resources/search-result.ts';
import type { WebhookEndpoint } from '../../resources/webhook-endpoint.ts';
import type { WebhookSecret } from '../../resources/webhook-secret.ts';
import type { UpdatedWorkspace, Workspace } from '../../resources/workspace.ts';

// One organization with one workspace and one endpoint. As in real ids, the first ten characters after an id's prefix
// encode the time of creation.

const organizationId = 'org_01KGENV700G5Z341TG4A5SAJR7';

const workspacePermissions = WORKSPACE_AREAS.flatMap((area): WorkspacePermission[] => [
  `workspace:${area}:read`,
  `workspace:${area}:write`,
]);

export const updatedWorkspace: UpdatedWorkspace = {
  id: 'wsp_01KGEP4BZ0DP5M8KSPK1Y3C2F2',
  name: 'Acme Production',
  slug: 'acme-production',
  timezone: 'Europe/Berlin',
  weekStartsOn: 1,
};

export const workspace: Workspace = {
  ...updatedWorkspace,
  organizationId,
  createdAt: '2026-02-02T08:05:00.000Z',
  updatedAt: '2026-02-20T14:10:30.250Z',
};

export const embeddedWorkspace: EmbeddedWorkspace = {
  id: workspace.id,
  slug: workspace.slug,
  name: workspace.name,
  image: 'https://cdn.acme.example/workspaces/production.png',
  role: 'Admin',
  implicit: true,
  permissions: workspacePermissions,
};

export const organization: Organization = {
  id: organizationId,
  slug: 'acme',
  name: 'Acme',
  logo: 'https://cdn.acme.example/logo.png',
  role: 'Admin',
  // Only an Owner has the write permission for billing.
  permissions: ORGANIZATION_AREAS.flatMap((area): OrganizationPermission[] =>
    area === 'billing' ? [`org:${area}:read`] : [`org:${area}:read`, `org:${area}:write`],
  ),
  workspaces: [embeddedWorkspace],
};

const { slug, name } = workspace;
const inWorkspace: NonNullable<Identity['workspace']> = {
  id: workspace.id,
  organizationId,
  role: 'Admin',
  slug,
  name,
  permissions: workspacePermissions,
};

export const identityOfToken: Identity = {
  credential: {
    id: 'pat_01KGEPH6404QJM0K3VCN31XC85',
    kind: 'personal_access_token',
    test: false,
    createdAt: '2026-02-02T08:12:00.000Z',
  },
  user: { id: 'usr_01KGENV700MS9GAAQPMFYHPMQ8', email: 'ada@acme.example', name: 'Ada Lovelace' },
  workspace: inWorkspace,
};

export const identityOfKey: Identity = {
  credential: {
    id: 'key_01KGEPDGY0PZ986RS8D2BKB333',
    kind: 'api_key',
    test: false,
    createdAt: '2026-02-02T08:10:00.000Z',
  },
  user: null,
  workspace: { ...inWorkspace, role: null },
};

export const webhookEndpoint: WebhookEndpoint = {
  id: 'whe_01KGEQJ4T0PS0JH2QW9TZ1SX5J',
  workspaceId: workspace.id,
  url: 'https://hooks.acme.example/lifecycle',
  description: 'Lifecycle sync',
  subscribedEvents: ['lifecycle.*', 'webhook.endpoint.auto_disabled'],
  active: true,
  apiVersion: LATEST_API_VERSION,
  createdAt: '2026-02-02T08:30:00.000Z',
  updatedAt: '2026-02-20T14:12:00.500Z',
};

/** The endpoint was disabled because too many of its deliveries failed. */
export const disabledEndpointId = 'whe_01KGEPZTW060FM8XWBS1BB8EZY';

/** This secret signs every delivery in these examples. */
export const webhookSecret: WebhookSecret = {
  id: 'whs_01KGEQJ4T0T9EHCEX7EHG4NC9B',
  secret: 'whsec_ThGV3wIN5Z4NZaM6QnnxGD565OXZgOMJ-LVa3_LmHD4',
  secretPreview: 'whsec_ThGV3…mHD4',
  createdAt: webhookEndpoint.createdAt,
};

export const rotatedSecret: WebhookSecret = {
  id: 'whs_01KK0Z4BC0YB44JQC3QDDNSVQP',
  secret: 'whsec_wCwLll4COr7oCPK1SNjVGTqLUim-bzEhpvFuLUGkSbM',
  secretPreview: 'whsec_wCwLl…kSbM',
  createdAt: '2026-03-06T07:00:00.000Z',
};

export const searchResults: readonly [SearchResult, SearchResult] = [
  {
    id: 'prf_01KGH1C6R0B0XW3VZ2BW8RM0DX',
    type: 'profile',
    title: 'Lina Berg',
    snippet: 'lina.berg@customer.example',
    url: null,
  },
  {
    id: webhookEndpoint.id,
    type: 'webhook_endpoint',
    title: webhookEndpoint.url,
    snippet: webhookEndpoint.description ?? null,
    url: `/v1/webhooks/endpoints/${webhookEndpoint.id}`,
  },
];
