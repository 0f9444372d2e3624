import type {
  Event,
  EventTypeItem,
  Identity,
  Organization,
  SearchResult,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookSecret,
  Workspace,
} from '@svc/contract';

const AT = '2026-03-01T09:30:00.000Z';
const WORKSPACE = 'wsp_01JNG8M5T0000000000000000A';
const ENDPOINT = 'whe_01JNG8M5T0000000000000000B';
const EVENT = 'evt_01JNG8M5T0000000000000000C';

/**
 * Whole resources as the service would send them; what is given replaces what stands here.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export const fixtures = {
  workspace: (given: Partial<Workspace> = {}): Workspace => ({
    id: WORKSPACE,
    name: 'Acme',
    organizationId: 'org_01JNG8M5T0000000000000000D',
    slug: 'acme',
    timezone: null,
    weekStartsOn: null,
    createdAt: AT,
    updatedAt: AT,
    ...given,
  }),
  organization: (given: Partial<Organization> = {}): Organization => ({
    id: 'org_01JNG8M5T0000000000000000D',
    slug: 'acme',
    name: 'Acme',
    logo: null,
    role: 'Owner',
    permissions: ['org:settings:read'],
    ...given,
  }),
  identity: (given: Partial<Identity> = {}): Identity => ({
    credential: { id: 'key_01JNG8M5T0000000000000000E', kind: 'api_key', test: true, createdAt: AT },
    user: null,
    workspace: null,
    ...given,
  }),
  searchResult: (given: Partial<SearchResult> = {}): SearchResult => ({
    id: 'prf_01JNG8M5T0000000000000000F',
    type: 'profile',
    title: 'Ada Lovelace',
    snippet: 'ada@example.com',
    url: null,
    ...given,
  }),
  webhookEndpoint: (given: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
    id: ENDPOINT,
    workspaceId: WORKSPACE,
    url: 'https://receiver.example/webhooks',
    description: null,
    subscribedEvents: ['lifecycle.*'],
    active: true,
    apiVersion: 'v1',
    createdAt: AT,
    updatedAt: AT,
    ...given,
  }),
  webhookSecret: (given: Partial<WebhookSecret> = {}): WebhookSecret => ({
    id: 'whs_01JNG8M5T0000000000000000G',
    secret: 'whsec_bW9ja2VkIHNlY3JldCB0aGF0IHNpZ25zIG5vdGhpbmcgcmVh',
    secretPreview: 'whsec_bW9j…cmVh',
    createdAt: AT,
    ...given,
  }),
  webhookDelivery,
  webhookDeliveryDetail: (given: Partial<WebhookDeliveryDetail> = {}): WebhookDeliveryDetail => ({
    ...webhookDelivery(),
    nextAttemptAt: null,
    requestBody: { id: EVENT, type: 'webhook.ping', created: AT },
    requestHeaders: { 'content-type': 'application/json' },
    responseBody: 'ok',
    responseHeaders: {},
    ...given,
  }),
  event: (given: Partial<Event> = {}): Event => ({
    id: EVENT,
    type: 'lifecycle.evaluated',
    created: AT,
    subject: { id: WORKSPACE, type: 'workspace', url: `/v1/workspaces/${WORKSPACE}` },
    ...given,
  }),
  eventTypeItem: (given: Partial<EventTypeItem> = {}): EventTypeItem => ({
    type: 'webhook.ping',
    category: 'Webhooks',
    description: 'A test event.',
    ...given,
  }),
};

function webhookDelivery(given: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: 'whd_01JNG8M5T0000000000000000H',
    workspaceId: WORKSPACE,
    endpointId: ENDPOINT,
    eventId: EVENT,
    eventType: 'webhook.ping',
    status: 'success',
    attempt: 1,
    createdAt: AT,
    deliveredAt: AT,
    error: null,
    responseStatus: 200,
    responseTimeMs: 12,
    ...given,
  };
}
