import {
  type EmbeddedWorkspace,
  type EventTypeItem,
  type Identity,
  LATEST_API_VERSION,
  type Organization,
  type SearchResult,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  type WebhookEndpoint,
  type WebhookSecret,
  type Event as WireEvent,
  type Workspace,
} from '@svc/contract';
import type { KnownEvent } from '../events.ts';

const AT = '2026-03-01T09:30:00.000Z';
const WORKSPACE = 'wsp_01JNG8M5T0000000000000000A';
const ENDPOINT = 'whe_01JNG8M5T0000000000000000B';
const EVENT = 'evt_01JNG8M5T0000000000000000C';
const ORGANIZATION = 'org_01JNG8M5T0000000000000000D';
const IDENTITY_WORKSPACE = {
  id: WORKSPACE,
  organizationId: ORGANIZATION,
  slug: 'acme',
  name: 'Acme',
  permissions: ['workspace:developer:read', 'workspace:developer:write'],
} satisfies Omit<NonNullable<Identity['workspace']>, 'role'>;

/**
 * Creates complete resources, as the service sends them. Pass only the fields that matter to your test. These fields
 * replace the defaults.
 *
 * {@includeCode ../../test/documented/testing.ts#mock}
 */
export const fixtures = {
  workspace: (given: Partial<Workspace> = {}): Workspace => ({
    id: WORKSPACE,
    name: 'Acme',
    organizationId: ORGANIZATION,
    slug: 'acme',
    timezone: null,
    weekStartsOn: null,
    createdAt: AT,
    updatedAt: AT,
    ...given,
  }),
  organization: (given: Partial<Organization> = {}): Organization => ({
    id: ORGANIZATION,
    slug: 'acme',
    name: 'Acme',
    logo: null,
    role: 'Owner',
    permissions: ['org:settings:read'],
    ...given,
  }),
  /** A workspace in an organization, as returned with `expand: ['workspaces']`. */
  embeddedWorkspace: (given: Partial<EmbeddedWorkspace> = {}): EmbeddedWorkspace => ({
    id: WORKSPACE,
    slug: 'acme',
    name: 'Acme',
    image: null,
    role: 'Owner',
    implicit: true,
    permissions: ['workspace:developer:read', 'workspace:developer:write'],
    ...given,
  }),
  /** The response to `GET /v1/me` with an API key. */
  identity: (given: Partial<Identity> = {}): Identity => ({
    credential: { id: 'key_01JNG8M5T0000000000000000E', kind: 'api_key', test: true, createdAt: AT },
    user: null,
    workspace: { ...IDENTITY_WORKSPACE, role: null },
    ...given,
  }),
  /**
   * The response to `GET /v1/me` with a personal access token. For a client inside a workspace, also pass `workspace`.
   */
  userIdentity: (given: Partial<Identity> = {}): Identity => ({
    credential: { id: 'pat_01JNG8M5T0000000000000000J', kind: 'personal_access_token', test: true, createdAt: AT },
    user: { id: 'usr_01JNG8M5T0000000000000000K', email: 'ada@example.com', name: 'Ada Lovelace' },
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
    apiVersion: LATEST_API_VERSION,
    createdAt: AT,
    updatedAt: AT,
    ...given,
  }),
  webhookSecret: (given: Partial<WebhookSecret> = {}): WebhookSecret => ({
    id: 'whs_01JNG8M5T0000000000000000G',
    secret: 'whsec_TW9ja2VkLiBEb2VzIGl0IHNpZ24_IE5vLCBuZXZlciE',
    secretPreview: 'whsec_TW9j…lciE',
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
  event,
  eventTypeItem: (given: Partial<EventTypeItem> = {}): EventTypeItem => ({
    type: 'webhook.ping',
    category: 'Webhooks',
    description: 'A test event.',
    ...given,
  }),
};

const SUBJECTS: Partial<Record<string, object>> = {
  'lifecycle.evaluated': { subject: { id: WORKSPACE, type: 'workspace', url: `/v1/workspaces/${WORKSPACE}` } },
  'webhook.endpoint.auto_disabled': {
    subject: { id: ENDPOINT, type: 'webhook_endpoint', url: `/v1/webhooks/endpoints/${ENDPOINT}` },
  },
};

/** Creates an event of a catalog type, with a subject that fits the type. The default type is `lifecycle.evaluated`. */
function event<Type extends KnownEvent['type'] = 'lifecycle.evaluated'>(
  given?: { type?: Type } & Partial<Omit<Extract<KnownEvent, { type: Type }>, 'type'>>,
): Extract<KnownEvent, { type: Type }>;
/** Creates an event of any type. */
function event(given: Partial<WireEvent>): WireEvent;
function event(given: Partial<WireEvent> = {}): WireEvent {
  const { type = 'lifecycle.evaluated' } = given;
  return { id: EVENT, type, created: AT, ...SUBJECTS[type], ...given };
}

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
